package dev.ligeiro.gateway.operator.admin;

import static org.springframework.data.mongodb.core.query.Criteria.where;

import dev.ligeiro.support.work.RequestBatcher;
import dev.ligeiro.transaction.UuidV7;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Sort;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.data.mongodb.core.query.Update;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/**
 * Audit entries in MongoDB, which deletes them after five years. Each write is a link of this run's {@link AuditLink} chain, so writes go one
 * after the other. After a failed one, which may have been made all the same, a new chain begins.
 */
@Component
class AuditStore {

    private static final int READ_MAX = 1_000;
    /** The action of a chain's first entry. */
    static final String CHAIN_BEGUN = "audit chain begun";

    private static final int WAITING_MAX = 1_000;
    private static final JsonMapper JSON = new JsonMapper();

    private final ReactiveMongoTemplate mongo;
    private final AuditPublisher publisher;
    private final Clock clock;
    private final RequestBatcher<Write, Void> writes;

    /** The last link of this run's chain; null before the first write and after a failed one. */
    private volatile @Nullable AuditLink last;

    AuditStore(ReactiveMongoTemplate mongo, AuditPublisher publisher, Clock clock) {
        this.mongo = mongo;
        this.publisher = publisher;
        this.clock = clock;
        this.writes = new RequestBatcher<>(
                1, 1, WAITING_MAX, Duration.ZERO, batch -> write(batch.get(0)).thenReturn(DONE));
    }

    static final RequestBatcher.Outcomes<Void> DONE = new RequestBatcher.Outcomes<>() {
        @Override
        public @Nullable Throwable failure(int index) {
            return null;
        }

        @Override
        public @Nullable Void result(int index) {
            return null;
        }
    };

    Mono<Void> insert(AuditEntry begun) {
        return writes.submit(new Write(begun, false));
    }

    /** Adds the end of a stored entry. */
    Mono<Void> end(AuditEntry ended) {
        return writes.submit(new Write(ended, true));
    }

    private Mono<Void> write(Write write) {
        return begun().flatMap(before -> {
                    AuditEntry entry = write.entry;
                    String digest = write.ends ? AuditLink.digestOfEnded(entry) : AuditLink.digestOfBegun(entry);
                    AuditLink link = before.next(digest);
                    Mono<?> stored = write.ends
                            ? mongo.updateFirst(
                                            Query.query(where("_id").is(entry.id())),
                                            new Update()
                                                    .set("status", entry.status())
                                                    .set("created", entry.created())
                                                    .set("merchantId", entry.merchantId())
                                                    .set("ended", link),
                                            AuditEntry.class)
                                    .filter(result -> result.getMatchedCount() == 1)
                                    .switchIfEmpty(Mono.error(() -> new IllegalStateException("no entry to end")))
                            : mongo.insert(entry.linked(link));
                    return stored.doOnSuccess(done -> stored(entry, link, digest));
                })
                .doOnError(failure -> last = null)
                .then();
    }

    /** The last link; at first, that of an entry which names the ends of the chains that it finds among the newest entries. */
    private Mono<AuditLink> begun() {
        AuditLink present = last;
        if (present != null) {
            return Mono.just(present);
        }
        Instant now = Instant.ofEpochMilli(clock.millis());
        AuditLink origin = AuditLink.origin(now.toEpochMilli());
        return newest().map(heads -> AuditEntry.chainBegun(
                        UuidV7.at(now.toEpochMilli()), now, origin.chain(), JSON.writeValueAsString(heads)))
                .flatMap(entry -> {
                    String digest = AuditLink.digestOfBegun(entry);
                    AuditLink link = origin.next(digest);
                    return mongo.insert(entry.linked(link))
                            .doOnSuccess(done -> stored(entry, link, digest))
                            .thenReturn(link);
                });
    }

    private void stored(AuditEntry entry, AuditLink link, String digest) {
        last = link;
        publisher.publish(entry, link, digest);
    }

    private Mono<AuditLink.Heads> newest() {
        Query query = new Query().with(Sort.by(Sort.Direction.DESC, "_id")).limit(READ_MAX);
        query.fields().include("begun", "ended");
        return mongo.find(query, Links.class, AuditEntry.COLLECTION)
                .collectList()
                .map(entries -> {
                    Map<UUID, AuditLink> heads = new HashMap<>();
                    entries.stream()
                            .flatMap(entry ->
                                    Stream.concat(Stream.ofNullable(entry.begun()), Stream.ofNullable(entry.ended())))
                            .forEach(
                                    link -> heads.merge(link.chain(), link, (a, b) -> a.number() > b.number() ? a : b));
                    return new AuditLink.Heads(heads.values().stream()
                            .map(link -> new AuditLink.Head(link.chain(), link.number(), link.hash()))
                            .sorted(Comparator.comparing(AuditLink.Head::chain))
                            .toList());
                });
    }

    /** Empty if there is none. */
    Mono<AuditEntry> find(UUID id) {
        return mongo.findById(id, AuditEntry.class);
    }

    /**
     * The entries, the newest first. Long bodies are cut.
     *
     * @param merchantId null for the entries of all merchants and of none
     * @param after the id that they come after; null for the newest ones
     */
    Mono<AdminPage<AuditEntry, UUID>> page(@Nullable UUID merchantId, @Nullable UUID after) {
        Criteria which =
                merchantId == null ? new Criteria() : where("merchantId").is(merchantId);
        return mongo.find(
                        Query.query(after == null ? which : which.and("_id").lt(after))
                                .with(Sort.by(Sort.Direction.DESC, "_id"))
                                .limit(AdminPage.ITEMS_MAX + 1),
                        AuditEntry.class)
                .map(AuditEntry::listed)
                .collectList()
                .map(found -> AdminPage.of(found, AuditEntry::id));
    }

    /** Whole entries, the oldest first. */
    Mono<List<AuditEntry>> oldest(@Nullable UUID after, int max) {
        return mongo.find(
                        Query.query(
                                        after == null
                                                ? new Criteria()
                                                : where("_id").gt(after))
                                .with(Sort.by(Sort.Direction.ASC, "_id"))
                                .limit(max),
                        AuditEntry.class)
                .collectList();
    }

    private record Links(UUID id, @Nullable AuditLink begun, @Nullable AuditLink ended) {}

    /** @param ends whether it adds the end of an entry */
    private record Write(AuditEntry entry, boolean ends) {}
}
