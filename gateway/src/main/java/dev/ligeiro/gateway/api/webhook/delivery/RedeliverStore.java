package dev.ligeiro.gateway.api.webhook.delivery;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Filters.gt;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.ne;
import static dev.ligeiro.store.DeliveryFields.*;

import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.result.UpdateResult;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.DeliveryCodec;
import dev.ligeiro.store.DeliveryUpdates;
import dev.ligeiro.store.LaneFields;
import dev.ligeiro.store.LaneUpdates;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.DeliveryStatus;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Schedules deliveries again, and stores those of test events. */
@Component
public class RedeliverStore {

    private static final String SCHEDULED = DeliveryStatus.SCHEDULED.code();
    /** The endpoint in a filter is for sharded clusters; the id alone finds the delivery. */
    private static final UpdateOptions BY_ID = new UpdateOptions().hint(Indexes.ascending(ID));

    /** Without a time, a malformed delivery would be the first one. */
    private static final Bson HAS_TIME = gt(NEXT_ATTEMPT_AT, new Date(0));

    private final MongoCollection<Document> deliveries;
    private final MongoCollection<Delivery> inserted;
    private final MongoCollection<Document> lanes;

    RedeliverStore(MongoDatabase database) {
        this.deliveries = database.getCollection(CollectionNames.DELIVERIES);
        this.inserted = database.getCollection(CollectionNames.DELIVERIES, Delivery.class)
                .withCodecRegistry(CodecRegistries.fromRegistries(
                        CodecRegistries.fromCodecs(new DeliveryCodec()), database.getCodecRegistry()));
        this.lanes = database.getCollection(CollectionNames.LANES);
    }

    /**
     * A time, {@code now} at the latest, that is before the next attempts of all the endpoint's deliveries: the dispatcher attempts what is
     * due longest first, so a merchant that asks for one delivery does not wait for a backlog. One look in the dispatcher's index.
     */
    Mono<Instant> beforeAll(UUID endpointId, Instant now) {
        return Mono.from(deliveries
                        .find(and(eq(STATUS, SCHEDULED), eq(ENDPOINT, TransactionCodec.binary(endpointId)), HAS_TIME))
                        .projection(Projections.include(NEXT_ATTEMPT_AT))
                        .sort(Sorts.ascending(NEXT_ATTEMPT_AT))
                        .limit(1))
                .map(first -> first.getDate(NEXT_ATTEMPT_AT).toInstant().minusMillis(1))
                .filter(now::isAfter)
                .defaultIfEmpty(now);
    }

    /**
     * Schedules the delivery for {@code at}. Changes nothing while an attempt may be running. That is possible if the delivery is due, or
     * if it has no attempt yet: a first attempt runs while {@code nextAttemptAt} is still in the future.
     *
     * @param payload null if the dispatcher can build it from the stored transaction
     * @return empty, also if there is no such delivery
     */
    Mono<Void> schedule(DeliveryId id, Instant at, Instant now, byte @Nullable [] payload) {
        return Mono.from(deliveries.updateOne(
                        DeliveryUpdates.free(id, now),
                        DeliveryUpdates.scheduled(at, UUID.randomUUID(), payload),
                        BY_ID))
                .then();
    }

    /**
     * Schedules those of {@code ids} that still have one of the statuses and that the replay has not scheduled before: after a crash it may
     * come to them again when they have ended once more.
     *
     * @return their number
     */
    public Mono<Long> scheduleAll(List<DeliveryId> ids, Set<String> statuses, UUID replayId, Instant now) {
        BsonBinary replay = TransactionCodec.binary(replayId);
        Bson ended = and(
                DeliveryCodec.filter(ids),
                in(STATUS, statuses),
                ne(REPLAY, replay),
                exists(ATTEMPTS + "." + (ScheduleDelivery.ATTEMPTS_MAX - 1), false));
        return Mono.from(deliveries.updateMany(ended, DeliveryUpdates.scheduled(now, replayId, null), BY_ID))
                .map(UpdateResult::getModifiedCount);
    }

    Mono<Void> insert(Delivery delivery) {
        return Mono.from(inserted.insertOne(delivery)).then();
    }

    /**
     * Tells the dispatchers that the endpoint has deliveries that are due, and ends the open time of its circuit breaker. Must follow
     * {@link #schedule}.
     */
    public Mono<Void> markDue(UUID endpointId, Tenant tenant, Instant now) {
        return mark(endpointId, LaneUpdates.dueNow(tenant, now));
    }

    /** As {@link #markDue}, but an open circuit breaker stays open. Must follow {@link #scheduleAll}. */
    public Mono<Void> markScheduled(UUID endpointId, Tenant tenant, Instant now) {
        return mark(endpointId, LaneUpdates.dueAt(tenant, now));
    }

    private Mono<Void> mark(UUID endpointId, List<BsonDocument> update) {
        Bson lane = eq(LaneFields.ID, TransactionCodec.binary(endpointId));
        return Mono.from(lanes.updateOne(lane, update, new UpdateOptions().upsert(true)))
                .then();
    }
}
