package dev.ligeiro.dispatcher.lane;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gt;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.lte;
import static com.mongodb.client.model.Filters.or;
import static dev.ligeiro.store.LaneFields.*;

import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.LaneCodec;
import dev.ligeiro.store.LaneUpdates;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.Lane;
import java.time.Instant;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.Document;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.conversions.Bson;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reads and counts all lanes in MongoDB. Its only write marks lanes due. */
@Component
class BacklogStore {

    private final MongoCollection<Lane> lanes;

    BacklogStore(MongoDatabase database) {
        this.lanes = database.getCollection(CollectionNames.LANES, Lane.class)
                .withCodecRegistry(CodecRegistries.fromRegistries(
                        CodecRegistries.fromCodecs(new LaneCodec()), database.getCodecRegistry()));
    }

    /**
     * An endpoint with due deliveries whose lane is missing, or due later.
     *
     * @param dueAt the earliest due time of its deliveries
     */
    record LateLane(UUID endpointId, Tenant tenant, Instant dueAt) {}

    /** Marks lanes due and creates those that are missing, in one bulk. */
    Mono<Void> mark(List<LateLane> late) {
        if (late.isEmpty()) {
            return Mono.empty();
        }
        List<UpdateOneModel<Lane>> updates = late.stream()
                .map(lane -> new UpdateOneModel<Lane>(
                        eq(ID, TransactionCodec.binary(lane.endpointId())),
                        LaneUpdates.dueAt(lane.tenant(), lane.dueAt()),
                        new UpdateOptions().upsert(true)))
                .toList();
        return Mono.from(lanes.bulkWrite(updates, new BulkWriteOptions().ordered(false)))
                .then();
    }

    /** The lanes of {@code endpointIds} that are due or whose circuit breaker has opened. */
    Mono<Looked> looked(Collection<UUID> endpointIds, Instant now) {
        return Flux.from(lanes.find(and(
                        in(
                                ID,
                                endpointIds.stream()
                                        .map(TransactionCodec::binary)
                                        .toList()),
                        or(lte(DUE_AT, Date.from(now)), gt(OPEN_UNTIL, Date.from(now)), gt(OPENINGS, 0)))))
                .collectList()
                .map(found -> Looked.of(found, now));
    }

    /**
     * @param dueOrOpen the endpoints whose lane is due, or waits until its circuit breaker allows an attempt
     * @param opened the endpoints whose breaker has opened since their last success
     */
    record Looked(Set<UUID> dueOrOpen, Set<UUID> opened) {

        private static Looked of(List<Lane> lanes, Instant now) {
            return new Looked(
                    ids(lanes, lane -> !lane.dueAt().isAfter(now) || isOpen(lane, now)),
                    ids(lanes, lane -> lane.health().openings() > 0));
        }

        private static boolean isOpen(Lane lane, Instant now) {
            Instant openUntil = lane.health().openUntil();
            return openUntil != null && openUntil.isAfter(now);
        }

        private static Set<UUID> ids(List<Lane> lanes, Predicate<Lane> isMember) {
            return lanes.stream().filter(isMember).map(Lane::endpointId).collect(Collectors.toSet());
        }
    }

    /** Reads all lanes; an endpoint without a backlog has none. */
    Mono<LaneCounts> counts(Instant now) {
        return Flux.from(lanes.aggregate(
                        List.of(Aggregates.group(
                                null,
                                Accumulators.sum("all", 1),
                                Accumulators.sum("due", oneIf("$lte", DUE_AT, now)),
                                Accumulators.sum("open", oneIf("$gt", OPEN_UNTIL, now)),
                                Accumulators.min(FAILING_SINCE, "$" + FAILING_SINCE))),
                        BsonDocument.class))
                .next()
                .map(BacklogStore::counts)
                .defaultIfEmpty(LaneCounts.NONE);
    }

    /** A missing field is less than any time. */
    private static Bson oneIf(String operator, String field, Instant time) {
        return new Document("$cond", List.of(new Document(operator, List.of("$" + field, Date.from(time))), 1, 0));
    }

    private static LaneCounts counts(BsonDocument found) {
        BsonValue failingSince = found.get(FAILING_SINCE, BsonNull.VALUE);
        return new LaneCounts(
                found.getNumber("all").longValue(),
                found.getNumber("due").longValue(),
                found.getNumber("open").longValue(),
                failingSince.isDateTime()
                        ? Instant.ofEpochMilli(failingSince.asDateTime().getValue())
                        : Instant.MAX);
    }
}
