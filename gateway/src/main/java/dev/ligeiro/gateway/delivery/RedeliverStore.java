package dev.ligeiro.gateway.delivery;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Filters.gt;
import static com.mongodb.client.model.Filters.ne;
import static com.mongodb.client.model.Filters.or;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.set;
import static com.mongodb.client.model.Updates.unset;
import static dev.ligeiro.store.DeliveryFields.*;

import com.mongodb.client.model.UpdateOptions;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.DeliveryCodec;
import dev.ligeiro.store.LaneFields;
import dev.ligeiro.store.LaneUpdates;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.DeliveryStatus;
import java.time.Instant;
import java.util.Date;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Schedules deliveries again. */
@Component
class RedeliverStore {

    private static final String SCHEDULED = DeliveryStatus.SCHEDULED.code();

    private final MongoCollection<Document> deliveries;
    private final MongoCollection<Document> lanes;

    RedeliverStore(MongoDatabase database) {
        this.deliveries = database.getCollection(CollectionNames.DELIVERIES);
        this.lanes = database.getCollection(CollectionNames.LANES);
    }

    /**
     * Schedules the delivery for {@code now}. One whose attempt may be running stays as it is: one that is due, or a scheduled one without
     * an ended attempt, because only a first attempt runs before it is due.
     *
     * @return empty, also if there is no such delivery
     */
    Mono<Void> schedule(DeliveryId id, Instant now) {
        Bson free = and(
                eq(ID, DeliveryCodec.binary(id)),
                or(ne(STATUS, SCHEDULED), and(gt(NEXT_ATTEMPT_AT, Date.from(now)), exists(ATTEMPTS + ".0"))));
        Bson scheduled = combine(
                set(STATUS, SCHEDULED),
                set(ENDPOINT, TransactionCodec.binary(id.endpointId())),
                set(NEXT_ATTEMPT_AT, Date.from(now)),
                unset(ENDED_AT));
        return Mono.from(deliveries.updateOne(free, scheduled)).then();
    }

    /** Tells the dispatchers that the endpoint has deliveries that are due. Must follow {@link #schedule}. */
    Mono<Void> markDue(DeliveryId id, Tenant tenant, Instant now) {
        Bson lane = eq(LaneFields.ID, TransactionCodec.binary(id.endpointId()));
        return Mono.from(lanes.updateOne(lane, LaneUpdates.dueNow(tenant, now), new UpdateOptions().upsert(true)))
                .then();
    }
}
