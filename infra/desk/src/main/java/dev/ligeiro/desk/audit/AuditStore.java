package dev.ligeiro.desk.audit;

import static org.springframework.data.mongodb.core.query.Criteria.where;

import com.mongodb.ReadPreference;
import dev.ligeiro.desk.http.Problem;
import dev.ligeiro.desk.http.ProblemCode;
import dev.ligeiro.merchant.ApiKey;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.transaction.UuidV7;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.data.domain.Sort;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.data.mongodb.core.query.Update;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/**
 * Audit entries in MongoDB, which deletes them after five years. Each write is a link of this run's {@link AuditLink} chain, so writes go one
 * after the other. After a failed one, which may have been made all the same, a new chain begins.
 */
@Component
class AuditStore {

    private static final int HEADS_READ_MAX = 1_000;
    private static final long WRITE_WAITS_SECONDS_MAX = 5;
    private static final Duration LIST_MAX = Duration.ofSeconds(2);
    /** The ids in a path of an action, whose names differ between versions. */
    private static final Pattern VARIABLE = Pattern.compile("\\{[a-zA-Z_]+\\}");

    private static final JsonMapper JSON = new JsonMapper();

    private final MongoTemplate mongo;
    private final AuditPublisher publisher;
    private final Clock clock;
    private final ZoneId zone;
    private final ReentrantLock writing = new ReentrantLock(true);

    /** The last link of this run's chain; null before the first write and after a failed one. Guarded by {@link #writing}. */
    private @Nullable AuditLink last;

    AuditStore(MongoTemplate mongo, AuditPublisher publisher, Clock clock, @Value("${ligeiro.time-zone}") ZoneId zone) {
        this.mongo = mongo;
        this.publisher = publisher;
        this.clock = clock;
        this.zone = zone;
    }

    void insert(AuditEntry begun) {
        chained(() -> append(begun, AuditLink.digestOfBegun(begun), chain()));
    }

    /** Adds the end of a stored entry. */
    void end(AuditEntry ended) {
        chained(() -> {
            String digest = AuditLink.digestOfEnded(ended);
            AuditLink link = chain().next(digest);
            long matched = mongo.updateFirst(
                            Query.query(where("_id").is(ended.id())),
                            new Update()
                                    .set("status", ended.status())
                                    .set("created", ended.created())
                                    .set("merchantId", ended.merchantId())
                                    .set("ended", link),
                            AuditEntry.class)
                    .getMatchedCount();
            if (matched != 1) {
                throw new IllegalStateException("no entry to end");
            }
            stored(ended, link, digest);
        });
    }

    private void chained(Runnable write) {
        try {
            if (!writing.tryLock(WRITE_WAITS_SECONDS_MAX, TimeUnit.SECONDS)) {
                throw Problem.of(ProblemCode.UNAVAILABLE, "The audit cannot be written at the moment");
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw Problem.of(ProblemCode.UNAVAILABLE, "The desk stops");
        }
        try {
            write.run();
        } catch (RuntimeException failure) {
            last = null;
            throw failure;
        } finally {
            writing.unlock();
        }
    }

    private AuditLink append(AuditEntry entry, String digest, AuditLink before) {
        AuditLink link = before.next(digest);
        mongo.insert(entry.linked(link));
        return stored(entry, link, digest);
    }

    private AuditLink stored(AuditEntry entry, AuditLink link, String digest) {
        last = link;
        publisher.publish(entry, link, digest);
        return link;
    }

    /** The last link; at first, that of an entry which names the ends of the chains that it finds among the newest entries. */
    private AuditLink chain() {
        AuditLink present = last;
        if (present != null) {
            return present;
        }
        Instant now = Instant.ofEpochMilli(clock.millis());
        AuditLink origin = AuditLink.origin(now.toEpochMilli());
        AuditEntry first = AuditEntry.begun(
                now,
                "desk",
                AuditEntry.CHAIN_BEGUN,
                "",
                JSON.writeValueAsString(heads()),
                origin.chain().toString());
        return append(first, AuditLink.digestOfBegun(first), origin);
    }

    private AuditLink.Heads heads() {
        Query query = new Query().with(Sort.by(Sort.Direction.DESC, "_id")).limit(HEADS_READ_MAX);
        query.fields().include("begun", "ended");
        Map<UUID, AuditLink> heads = new HashMap<>();
        mongo.find(query, Links.class, CollectionNames.ADMIN_AUDIT).stream()
                .flatMap(entry -> Stream.concat(Stream.ofNullable(entry.begun()), Stream.ofNullable(entry.ended())))
                .forEach(link -> heads.merge(link.chain(), link, (a, b) -> a.number() > b.number() ? a : b));
        return new AuditLink.Heads(heads.values().stream()
                .map(link -> new AuditLink.Head(link.chain(), link.number(), link.hash()))
                .sorted(Comparator.comparing(AuditLink.Head::chain))
                .toList());
    }

    private record Links(UUID id, @Nullable AuditLink begun, @Nullable AuditLink ended) {}

    Optional<AuditEntry> find(UUID id) {
        return Optional.ofNullable(mongo.findById(id, AuditEntry.class));
    }

    /**
     * What a list is narrowed to; null for all.
     *
     * @param operator the whole name
     * @param action as an entry has it; the names of its path variables do not matter
     * @param day in the installation's time zone
     */
    record Filter(
            @Nullable UUID merchant, @Nullable String operator, @Nullable String action, @Nullable LocalDate day) {}

    /**
     * The entries, the newest first. Long bodies are cut.
     *
     * @param after the id that they come after; null for the newest ones
     */
    List<AuditEntry> page(Filter filter, @Nullable UUID after, int max) {
        Criteria which = new Criteria();
        if (filter.merchant != null) {
            which.and("merchantId").is(filter.merchant);
        }
        if (filter.operator != null) {
            which.and("operator").is(filter.operator);
        }
        if (filter.action != null) {
            which.and("action").regex(pattern(filter.action));
        }
        if (filter.day != null) {
            UUID end = start(filter.day.plusDays(1));
            which.and("_id").gte(start(filter.day)).lt(after == null || end.compareTo(after) < 0 ? end : after);
        } else if (after != null) {
            which.and("_id").lt(after);
        }
        Query query = Query.query(which)
                .with(Sort.by(Sort.Direction.DESC, "_id"))
                .limit(max)
                .maxTime(LIST_MAX)
                .withReadPreference(ReadPreference.secondaryPreferred());
        return mongo.find(query, AuditEntry.class).stream()
                .map(AuditEntry::listed)
                .toList();
    }

    private UUID start(LocalDate day) {
        return UuidV7.lowest(day.atStartOfDay(zone).toInstant().toEpochMilli());
    }

    private static String pattern(String action) {
        return Stream.of(VARIABLE.split(action, -1))
                .map(Pattern::quote)
                .collect(Collectors.joining(VARIABLE.pattern(), "^", "$"));
    }

    /** Of these ids, the beginnings of the keys that exist: a person knows a key by it. */
    Map<UUID, String> keys(Collection<UUID> ids) {
        return ids.isEmpty()
                ? Map.of()
                : mongo.find(Query.query(where("_id").in(ids)), ApiKey.class, CollectionNames.API_KEYS).stream()
                        .collect(Collectors.toMap(ApiKey::id, ApiKey::prefix));
    }

    /** Whole entries, the oldest first. */
    List<AuditEntry> oldest(@Nullable UUID after, int max) {
        Criteria which = after == null ? new Criteria() : where("_id").gt(after);
        return mongo.find(
                Query.query(which).with(Sort.by(Sort.Direction.ASC, "_id")).limit(max), AuditEntry.class);
    }
}
