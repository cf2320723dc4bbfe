package dev.ligeiro.gateway.api.webhook;

import static com.mongodb.client.model.Filters.eq;

import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.LaneFields;
import dev.ligeiro.store.LaneUpdates;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.transaction.Tenant;
import java.time.Instant;
import java.util.UUID;
import org.bson.Document;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** The lanes in MongoDB, by which the dispatchers learn that an endpoint has changed. */
@Component
class LaneStore {

    private final MongoCollection<Document> lanes;

    LaneStore(MongoDatabase database) {
        this.lanes = database.getCollection(CollectionNames.LANES);
    }

    /**
     * Makes a dispatcher look at the endpoint at once, and ends the open time of its circuit breaker. Must follow the change of the
     * endpoint. An endpoint without outstanding deliveries has no lane, and gets none.
     */
    Mono<Void> markDue(UUID endpointId, Tenant tenant, Instant now) {
        return Mono.from(lanes.updateOne(
                        eq(LaneFields.ID, TransactionCodec.binary(endpointId)), LaneUpdates.dueNow(tenant, now)))
                .then();
    }
}
