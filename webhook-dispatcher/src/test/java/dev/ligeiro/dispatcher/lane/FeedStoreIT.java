package dev.ligeiro.dispatcher.lane;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.WriteConcern;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.dispatcher.attempt.DeliveryMetrics;
import dev.ligeiro.dispatcher.lane.FeedStore.Due;
import dev.ligeiro.infra.brokers.LocalMongod;
import dev.ligeiro.infra.brokers.MongodBinary;
import dev.ligeiro.infra.brokers.Ports;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.DeliveryFields;
import dev.ligeiro.testing.brokers.LocalBroker;
import dev.ligeiro.webhook.DeliveryStatus;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.bson.Document;
import org.bson.UuidRepresentation;
import org.bson.types.Binary;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/** Its own mongod takes commands of tests: one makes writes wait for their majority, as a lagging secondary does. */
class FeedStoreIT {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final double CACHE_GIGABYTES = 0.25;

    private final UUID feedId = UUID.randomUUID();
    private final LocalBroker broker;
    private final MongoClient client;

    FeedStoreIT(@TempDir Path home) {
        LocalMongod mongod = new LocalMongod(
                MongodBinary.find(),
                home,
                Ports.free(),
                CACHE_GIGABYTES,
                List.of("--setParameter", "enableTestCommands=1"));
        broker = new LocalBroker(mongod);
        broker.start();
        client = MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(mongod.uri("feeds")))
                .uuidRepresentation(UuidRepresentation.STANDARD)
                .build());
    }

    @AfterEach
    void stop() {
        client.close();
        broker.kill();
    }

    /** Once a failover had taken it back, the number would be given to a new document without endpoint and event. */
    @Test
    void aDeliveryThatAFailoverMayTakeBackIsNotDue() {
        MongoDatabase database = client.getDatabase("feeds");
        MongoCollection<Document> deliveries = database.getCollection(CollectionNames.DELIVERIES);
        FeedStore store =
                new FeedStore(database, new DeliveryMetrics(new SimpleMeterRegistry()), new SimpleMeterRegistry());
        insert(deliveries.withWriteConcern(WriteConcern.MAJORITY), "acknowledged");
        majorityReached(false);
        insert(deliveries.withWriteConcern(WriteConcern.W1), "may be taken back");

        assertThat(due(store)).hasSize(1);
        majorityReached(true);
        insert(deliveries.withWriteConcern(WriteConcern.MAJORITY), "acknowledged after it");
        assertThat(due(store)).hasSize(3);
    }

    private List<Due> due(FeedStore store) {
        return store.due(feedId, Instant.now(), 10).blockOptional(LIMIT).orElseThrow();
    }

    private void insert(MongoCollection<Document> deliveries, String id) {
        run(deliveries.insertOne(new Document(DeliveryFields.ID, new Binary(id.getBytes()))
                .append(DeliveryFields.ENDPOINT, feedId)
                .append(DeliveryFields.STATUS, DeliveryStatus.SCHEDULED.code())
                .append(DeliveryFields.NEXT_ATTEMPT_AT, Instant.EPOCH)));
    }

    private void majorityReached(boolean reached) {
        run(client.getDatabase("admin")
                .runCommand(new Document("configureFailPoint", "disableSnapshotting")
                        .append("mode", reached ? "off" : "alwaysOn")));
    }

    private static <T> void run(Publisher<T> operation) {
        Mono.from(operation).block(LIMIT);
    }
}
