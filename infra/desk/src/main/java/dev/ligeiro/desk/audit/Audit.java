package dev.ligeiro.desk.audit;

import static org.springframework.data.mongodb.core.query.Criteria.where;
import static org.springframework.data.mongodb.core.query.Query.query;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Scheduler;
import dev.ligeiro.desk.audit.AuditLink.Head;
import dev.ligeiro.desk.http.RequestId;
import dev.ligeiro.desk.operator.SignInAttempt;
import dev.ligeiro.store.CollectionNames;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.event.EventListener;
import org.springframework.dao.DataAccessException;
import org.springframework.data.domain.Sort;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.data.mongodb.core.query.Update;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes the audit in MongoDB, which deletes entries after five years. Each write is a link of this run's {@link AuditLink} chain, so writes
 * go one after the other. After a failed one, which may have been made all the same, a new chain begins.
 */
@Component
class Audit {

    private static final Logger LOG = LoggerFactory.getLogger(Audit.class);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int ADDRESSES_MAX = 100;
    private static final int HEADS_READ_MAX = 1_000;
    private static final JsonMapper JSON = new JsonMapper();

    private final MongoTemplate mongo;
    private final Clock clock;
    /** Of a new link: whether {@link AuditPublisher} has to send it. */
    private final @Nullable Boolean unsent;

    /** The last link of this run's chain; null before the first write and after a failed one. Guarded by this. */
    private @Nullable AuditLink last;

    /** How many wrong tokens an address has sent in this minute. */
    private final Cache<String, AtomicInteger> wrongTokens = Caffeine.newBuilder()
            .expireAfterWrite(MINUTE)
            .scheduler(Scheduler.systemScheduler())
            .<String, AtomicInteger>removalListener((address, count, cause) -> endMinute(address, count))
            .build();

    Audit(MongoTemplate mongo, Clock clock, @Value("${ligeiro.kafka.audit-topic}") boolean sends) {
        this.mongo = mongo;
        this.clock = clock;
        this.unsent = sends ? Boolean.TRUE : null;
    }

    /**
     * Stores a sign-in. Of wrong tokens it stores one entry for the first one of an address in a minute, and one for all others of that minute.
     * More than 100 addresses count as one, so nobody can fill the collection.
     */
    @EventListener
    void attempted(SignInAttempt attempt) {
        HttpServletRequest request = attempt.request();
        if (attempt.operator() != null) {
            store(attempt.operator().name(), AuditEntry.SIGN_IN, request, null, HttpStatus.OK);
            return;
        }
        Map<String, AtomicInteger> counts = wrongTokens.asMap();
        String address = request.getRemoteAddr();
        String counted = counts.containsKey(address) || counts.size() < ADDRESSES_MAX ? address : "others";
        if (wrongTokens.get(counted, first -> new AtomicInteger()).incrementAndGet() == 1) {
            store(counted, AuditEntry.WRONG_TOKEN, request, "1", HttpStatus.UNAUTHORIZED);
        }
    }

    private void endMinute(@Nullable String address, @Nullable AtomicInteger count) {
        if (address != null && count != null && count.get() > 1) {
            String others = String.valueOf(count.get() - 1);
            end(begin(address, AuditEntry.WRONG_TOKEN, "", others, ""), HttpStatus.UNAUTHORIZED.value(), null);
        }
    }

    /** An entry of a request that has ended already. */
    void store(String who, String action, HttpServletRequest request, @Nullable String body, HttpStatus status) {
        end(begin(who, action, request.getRequestURI(), body, RequestId.of(request)), status.value(), null);
    }

    /**
     * Stores the beginning of a request.
     *
     * @throws DataAccessException if it cannot be stored; the request is not carried out then
     */
    synchronized AuditEntry begin(String who, String action, String path, @Nullable String body, String requestId) {
        AuditEntry begun = AuditEntry.begun(clock.instant(), who, action, path, body, requestId);
        insert(begun, chain());
        return begun;
    }

    /**
     * Adds the outcome of a request. A failure leaves it unknown: the change has been made, and its response must reach the operator.
     *
     * @param created the path of what the request made; null for nothing
     */
    synchronized void end(AuditEntry begun, int status, @Nullable String created) {
        UUID merchant = Stream.of(begun.merchantId(), AuditEntry.merchantId(created), Audited.merchant())
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        try {
            AuditLink link = chain().next(AuditLink.digestOfEnded(begun.id(), status, created, merchant));
            Update end = new Update()
                    .set("status", status)
                    .set("created", created)
                    .set("merchantId", merchant)
                    .set("ended", link);
            last = null;
            Update marked = unsent == null ? end : end.set("unsent", true);
            if (mongo.updateFirst(query(where("_id").is(begun.id())), marked, AuditEntry.class)
                            .getMatchedCount()
                    != 1) {
                throw new IllegalStateException("no entry to end");
            }
            last = link;
        } catch (RuntimeException away) {
            LOG.atWarn()
                    .addKeyValue("event.action", "audit_not_ended")
                    .addKeyValue("entry", begun.id())
                    .addKeyValue("cause", away.getClass().getSimpleName())
                    .log("An entry of the audit has no outcome");
        }
    }

    /** The last link; at first, that of an entry which names the ends of the chains that it finds among the newest entries. */
    private AuditLink chain() {
        if (last != null) {
            return last;
        }
        Instant now = clock.instant();
        AuditLink origin = AuditLink.origin(now.toEpochMilli());
        String name = origin.chain().toString();
        return insert(
                AuditEntry.begun(now, "desk", AuditEntry.CHAIN_BEGUN, "", JSON.writeValueAsString(heads()), name),
                origin);
    }

    private AuditLink insert(AuditEntry entry, AuditLink before) {
        AuditLink link = before.next(AuditLink.digestOfBegun(entry));
        last = null;
        mongo.insert(entry.linked(link, unsent));
        last = link;
        return link;
    }

    private AuditLink.Heads heads() {
        Query query = new Query().with(Sort.by(Sort.Direction.DESC, "_id")).limit(HEADS_READ_MAX);
        query.fields().include("begun", "ended");
        Map<UUID, AuditLink> heads = new HashMap<>();
        mongo.find(query, Links.class, CollectionNames.ADMIN_AUDIT).stream()
                .flatMap(entry -> Stream.of(entry.begun, entry.ended).filter(Objects::nonNull))
                .forEach(link -> heads.merge(link.chain(), link, (a, b) -> a.number() > b.number() ? a : b));
        return new AuditLink.Heads(heads.values().stream()
                .map(link -> new Head(link.chain(), link.number(), link.hash()))
                .sorted(Comparator.comparing(Head::chain))
                .toList());
    }

    private record Links(UUID id, @Nullable AuditLink begun, @Nullable AuditLink ended) {}
}
