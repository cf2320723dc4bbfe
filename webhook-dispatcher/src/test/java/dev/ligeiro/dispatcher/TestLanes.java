package dev.ligeiro.dispatcher;

import com.mongodb.client.model.UpdateOptions;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.LaneUpdates;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Instant;
import org.bson.Document;
import reactor.core.publisher.Mono;

/** The lanes in an environment's database. */
public final class TestLanes {

    private final MongoCollection<Document> lanes;

    TestLanes(MongoDatabase database) {
        this.lanes = database.getCollection(CollectionNames.LANES);
    }

    /** The stored lane of {@code endpoint}; empty if it has none. */
    public Document of(WebhookEndpoint endpoint) {
        return Mono.from(lanes.find(new Document("_id", endpoint.id())))
                .blockOptional(TestEnvironment.WAIT)
                .orElseGet(Document::new);
    }

    public long count() {
        return Mono.from(lanes.countDocuments())
                .blockOptional(TestEnvironment.WAIT)
                .orElseThrow();
    }

    /** Tells the dispatchers to look at the deliveries to {@code endpoint}, as the gateway does. */
    public void markDue(WebhookEndpoint endpoint) {
        TestEnvironment.run(lanes.updateOne(
                new Document("_id", endpoint.id()),
                LaneUpdates.dueNow(endpoint.tenant(), Instant.now()),
                new UpdateOptions().upsert(true)));
    }

    public MongoCollection<Document> collection() {
        return lanes;
    }
}
