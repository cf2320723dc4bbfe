package dev.ligeiro.dispatcher.lane;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gt;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.lte;
import static com.mongodb.client.model.Filters.nin;
import static com.mongodb.client.model.Filters.nor;
import static com.mongodb.client.model.Filters.or;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.set;
import static com.mongodb.client.model.Updates.unset;
import static dev.ligeiro.store.LaneFields.*;

import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexModel;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.LaneDocument;
import dev.ligeiro.store.LaneUpdates;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.Lane;
import dev.ligeiro.webhook.Lane.Health;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.bson.BsonBinary;
import org.bson.BsonBinarySubType;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The lanes in MongoDB. The gateway only marks a lane as due or deletes it. Every write of a lane's owner checks its claim, so that a
 * process whose lease has ended changes nothing.
 *
 * <p>A lane that cannot be decoded is deleted when it is read, unless another process holds it. It has nothing that is needed: the next sweep
 * creates it again, and only the failures of its endpoint are forgotten. Kept, it would fail the reads of all lanes.
 */
@Component
public class LaneStore {

    private static final Logger LOG = LoggerFactory.getLogger(LaneStore.class);

    /** Longer than any configured lease, see {@code WebhookProperties}. */
    private static final Duration LEASE_MAX = Duration.ofHours(1);

    /** The token with which this process claims lanes. */
    private final BsonBinary claim = TransactionCodec.binary(UUID.randomUUID());

    private final MongoCollection<BsonDocument> lanes;

    LaneStore(MongoDatabase database) {
        this.lanes = database.getCollection(CollectionNames.LANES, BsonDocument.class);
    }

    /** Creates the collection's indexes; idempotent. The one of failing endpoints is for operators' lists. */
    Mono<Void> createIndexes() {
        IndexModel failing = new IndexModel(
                Indexes.ascending(FAILING_SINCE, ID),
                new IndexOptions().partialFilterExpression(Filters.exists(FAILING_SINCE)));
        return Flux.from(lanes.createIndexes(List.of(
                        new IndexModel(Indexes.ascending(DUE_AT)), new IndexModel(Indexes.ascending(TENANT)), failing)))
                .then();
    }

    /** The lanes of {@code tenants} by endpoint: one query; healthy endpoints without a backlog have none. */
    public Mono<Map<UUID, Lane>> ofTenants(Collection<Tenant> tenants, Instant now) {
        List<Long> keys = tenants.stream().map(Tenant::key).toList();
        return read(in(TENANT, keys), now).map(LaneStore::byEndpoint);
    }

    private static Map<UUID, Lane> byEndpoint(List<Lane> found) {
        return found.stream().collect(Collectors.toMap(Lane::endpointId, lane -> lane));
    }

    private Mono<List<Lane>> read(Bson filter, Instant now) {
        return Flux.from(lanes.find(filter)).collectList().flatMap(found -> {
            List<Lane> readable = new ArrayList<>(found.size());
            List<BsonValue> damaged = new ArrayList<>();
            for (BsonDocument document : found) {
                try {
                    readable.add(LaneDocument.read(document));
                } catch (RuntimeException unreadable) {
                    damaged.add(document.get(ID));
                    log(document, unreadable);
                }
            }
            return damaged.isEmpty()
                    ? Mono.just(readable)
                    : Mono.from(lanes.deleteMany(and(in(ID, damaged), or(eq(CLAIM, claim), nor(leased(now))))))
                            .thenReturn(readable);
        });
    }

    private static void log(BsonDocument document, RuntimeException unreadable) {
        Object id = document.get(ID);
        if (id instanceof BsonBinary uuid && uuid.getType() == BsonBinarySubType.UUID_STANDARD.getValue()) {
            id = uuid.asUuid();
        }
        LOG.atError()
                .addKeyValue("event.action", "lane_unreadable")
                .addKeyValue("endpoint_id", id)
                .addKeyValue("cause", unreadable.getClass().getSimpleName())
                .log("A stored lane cannot be read; it is created again");
    }

    /** Marks lanes due and creates those that are missing, in one bulk. */
    Mono<Void> mark(Collection<LaneMark> marks, Instant now) {
        if (marks.isEmpty()) {
            return Mono.empty();
        }
        List<UpdateOneModel<BsonDocument>> updates = marks.stream()
                .map(mark -> new UpdateOneModel<BsonDocument>(
                        id(mark.endpointId()),
                        LaneUpdates.attempted(
                                mark.tenant(),
                                mark.dueAt(),
                                mark.failures(),
                                mark.slowUntil(),
                                mark.pausedUntil(),
                                now),
                        new UpdateOptions().upsert(true)))
                .toList();
        return Mono.defer(() -> Mono.from(lanes.bulkWrite(updates, new BulkWriteOptions().ordered(false))))
                .then();
    }

    /** Forgets the failures of endpoints that have succeeded, unless a process works on their lanes. */
    public Mono<Void> recovered(Collection<UUID> endpointIds) {
        return endpointIds.isEmpty()
                ? Mono.empty()
                : Mono.from(lanes.updateMany(
                                and(in(ID, binaries(endpointIds)), eq(CLAIM, null)), healthOf(Health.GOOD)))
                        .then();
    }

    /**
     * Claims lanes that are due and that no process works on, the earliest due first. Each document is updated by compare-and-set, so
     * only one process gets a lane. A lease that ends more than an hour from now counts as ended: its process had a wrong clock.
     *
     * @param own the endpoints whose lane this process works on, or has lost and not left yet: they are not claimed
     */
    Mono<List<Lane>> claim(Collection<UUID> own, Instant now, Instant leaseUntil, int max) {
        Bson free = toClaim(own, now);
        Bson lease = combine(set(CLAIM, claim), set(LEASE_UNTIL, Date.from(leaseUntil)));
        return Flux.from(lanes.find(free)
                        .projection(Projections.include(ID))
                        .sort(Sorts.ascending(DUE_AT))
                        .limit(max))
                .map(document -> document.get(ID))
                .collectList()
                .flatMap(ids -> ids.isEmpty()
                        ? Mono.just(List.of())
                        : Mono.from(lanes.updateMany(and(in(ID, ids), free), lease))
                                .then(read(and(in(ID, ids), eq(CLAIM, claim)), now)));
    }

    /** Whether a lane is due that no process works on, and none of {@code own}. */
    Mono<Boolean> anyToClaim(Collection<UUID> own, Instant now) {
        return Mono.from(lanes.find(toClaim(own, now)).limit(1)).hasElement();
    }

    private static Bson toClaim(Collection<UUID> own, Instant now) {
        return and(lte(DUE_AT, Date.from(now)), nor(leased(now)), nin(ID, binaries(own)));
    }

    private static Bson leased(Instant now) {
        return and(gt(LEASE_UNTIL, Date.from(now)), lte(LEASE_UNTIL, Date.from(now.plus(LEASE_MAX))));
    }

    /** The lanes of {@code endpointIds} that this process still has claimed. */
    Mono<Map<UUID, Lane>> claimed(Collection<UUID> endpointIds, Instant now) {
        return endpointIds.isEmpty()
                ? Mono.just(Map.of())
                : read(and(in(ID, binaries(endpointIds)), eq(CLAIM, claim)), now)
                        .map(LaneStore::byEndpoint);
    }

    /**
     * Renews the leases of {@code own} and stores their health, but not that of a lane whose circuit breaker is open: a merchant that asks
     * for a redelivery closes the breaker in MongoDB, and each renewal would open it again. {@link #release} stores it, after the running
     * attempts.
     */
    Mono<Void> renew(Collection<Lane> own, Instant now, Instant leaseUntil) {
        Bson lease = set(LEASE_UNTIL, Date.from(leaseUntil));
        List<UpdateOneModel<BsonDocument>> updates = own.stream()
                .map(lane -> new UpdateOneModel<BsonDocument>(
                        and(id(lane.endpointId()), eq(CLAIM, claim)),
                        Breaker.isOpen(lane.health(), now) ? lease : combine(lease, healthOf(lane.health()))))
                .toList();
        return Mono.from(lanes.bulkWrite(updates, new BulkWriteOptions().ordered(false)))
                .then();
    }

    /**
     * Gives {@code lane} back with its health: it is due again at {@code dueAt}, or deleted if that is null. Does nothing if the stored lane
     * was marked since {@code lane} was read: a delivery may have been stored that the caller did not see.
     *
     * @return whether it was given back; false as well if another process has claimed it
     */
    Mono<Boolean> release(Lane lane, @Nullable Instant dueAt) {
        Bson unmarked = and(id(lane.endpointId()), eq(CLAIM, claim), eq(MARKS, lane.marks()));
        if (dueAt == null) {
            return Mono.from(lanes.deleteOne(unmarked)).map(result -> result.getDeletedCount() == 1);
        }
        Bson free = combine(set(DUE_AT, Date.from(dueAt)), unset(CLAIM), unset(LEASE_UNTIL), healthOf(lane.health()));
        return Mono.from(lanes.updateOne(unmarked, free)).map(result -> result.getMatchedCount() == 1);
    }

    /** Which of {@code endpointIds} have a lane, and in which state. */
    Mono<Looked> looked(Collection<UUID> endpointIds, Instant now) {
        return read(in(ID, binaries(endpointIds)), now)
                .map(found -> new Looked(
                        ids(found, lane -> !lane.dueAt().isAfter(now) || Breaker.isOpen(lane.health(), now)),
                        ids(found, lane -> lane.health().openings() > 0)));
    }

    private static Set<UUID> ids(List<Lane> found, Predicate<Lane> isMember) {
        return found.stream().filter(isMember).map(Lane::endpointId).collect(Collectors.toSet());
    }

    /**
     * @param dueOrOpen the endpoints whose lane is due, or waits until its circuit breaker allows an attempt
     * @param opened the endpoints whose breaker has opened since their last success
     */
    record Looked(Set<UUID> dueOrOpen, Set<UUID> opened) {}

    /**
     * The lanes of all endpoints.
     *
     * @param due those that are due, claimed or not
     * @param open those whose circuit breaker is open
     * @param failingSince the earliest first failure since an endpoint's last success; {@link Instant#MAX} if no endpoint fails
     */
    record Counts(long all, long due, long open, Instant failingSince) {

        static final Counts NONE = new Counts(0, 0, 0, Instant.MAX);
    }

    /** Reads all lanes; an endpoint without a backlog has none. */
    Mono<Counts> counts(Instant now) {
        return Flux.from(lanes.aggregate(
                        List.of(Aggregates.group(
                                null,
                                Accumulators.sum("all", 1),
                                Accumulators.sum("due", oneIf("$lte", DUE_AT, now)),
                                Accumulators.sum("open", oneIf("$gt", OPEN_UNTIL, now)),
                                Accumulators.min(FAILING_SINCE, "$" + FAILING_SINCE))),
                        BsonDocument.class))
                .next()
                .map(LaneStore::counts)
                .defaultIfEmpty(Counts.NONE);
    }

    /** A missing field is less than any time. */
    private static Bson oneIf(String operator, String field, Instant time) {
        return new Document("$cond", List.of(new Document(operator, List.of("$" + field, Date.from(time))), 1, 0));
    }

    private static Counts counts(BsonDocument found) {
        BsonValue failingSince = found.get(FAILING_SINCE, BsonNull.VALUE);
        return new Counts(
                found.getNumber("all").longValue(),
                found.getNumber("due").longValue(),
                found.getNumber("open").longValue(),
                failingSince.isDateTime()
                        ? Instant.ofEpochMilli(failingSince.asDateTime().getValue())
                        : Instant.MAX);
    }

    private static Bson healthOf(Health health) {
        List<Bson> changes = new ArrayList<>();
        changes.add(health.failures() == 0 ? unset(FAILURES) : set(FAILURES, health.failures()));
        changes.add(health.openings() == 0 ? unset(OPENINGS) : set(OPENINGS, health.openings()));
        changes.add(time(OPEN_UNTIL, health.openUntil()));
        changes.add(time(FAILING_SINCE, health.failingSince()));
        return combine(changes);
    }

    private static Bson time(String field, @Nullable Instant at) {
        return at == null ? unset(field) : set(field, Date.from(at));
    }

    private static Bson id(UUID endpointId) {
        return eq(ID, TransactionCodec.binary(endpointId));
    }

    private static List<BsonBinary> binaries(Collection<UUID> ids) {
        return ids.stream().map(TransactionCodec::binary).toList();
    }
}
