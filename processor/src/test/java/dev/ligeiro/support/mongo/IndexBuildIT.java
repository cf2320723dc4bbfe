package dev.ligeiro.support.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.model.IndexModel;
import com.mongodb.client.model.Indexes;
import com.mongodb.reactivestreams.client.ClientSession;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.testing.log.CapturedLogs;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

class IndexBuildIT {

    private static final Duration WAIT_MAX = Duration.ofSeconds(60);
    private static final List<IndexModel> INDEXES = List.of(new IndexModel(Indexes.ascending("at")));

    private final String name = "index_build_it_" + UUID.randomUUID();
    private final MongoClient client = MongoClients.create(MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(TestBrokers.mongodbUri(name)))
            .timeout(2_500, TimeUnit.MILLISECONDS)
            .build());
    private final MongoDatabase database = client.getDatabase(name);
    private final MongoCollection<Document> collection = database.getCollection("things");

    @AfterEach
    void close() {
        run(database.drop());
        client.close();
    }

    /** An open transaction has locked the collection, so the build takes longer than the client's limit. */
    @Test
    void aLongBuildIsLoggedUntilItEnds() {
        run(collection.insertOne(new Document("at", 1)));
        try (MongoClient other = MongoClients.create(TestBrokers.mongodbUri(name));
                ClientSession session =
                        Mono.from(other.startSession()).blockOptional(WAIT_MAX).orElseThrow();
                CapturedLogs logs = new CapturedLogs(IndexBuild.class.getName())) {
            ((Logger) LoggerFactory.getLogger(IndexBuild.class)).setLevel(Level.INFO);
            session.startTransaction();
            run(other.getDatabase(name).getCollection("things").insertOne(session, new Document("at", 2)));
            CompletableFuture<Void> built =
                    IndexBuild.run(collection, INDEXES, Duration.ofSeconds(1)).toFuture();

            await().atMost(WAIT_MAX).until(() -> logs.lines().size() > 3);
            assertThat(logs.lines().get(3))
                    .contains("event.action=\"index_build\"", "collection=\"things\"", "seconds=\"4\"");
            assertThat(built).isNotDone();
            run(session.abortTransaction());
            built.join();
        }
    }

    private static void run(Publisher<?> operation) {
        Mono.from(operation).block(WAIT_MAX);
    }
}
