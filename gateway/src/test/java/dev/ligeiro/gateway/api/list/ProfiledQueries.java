package dev.ligeiro.gateway.api.list;

import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.testing.brokers.TestBrokers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The queries of transactions by lists, with the plans that MongoDB's profiler has written down while they ran. */
final class ProfiledQueries implements AutoCloseable {

    private static final String PROFILE = "system.profile";
    private static final Duration WAIT_MAX = Duration.ofSeconds(10);
    private static final long BYTES_MAX = 16 << 20;

    private final MongoClient client;
    private final MongoDatabase database;

    ProfiledQueries(String databaseName) {
        client = MongoClients.create(TestBrokers.mongodbUri(databaseName));
        database = client.getDatabase(databaseName);
        wait(database.createCollection(
                PROFILE, new CreateCollectionOptions().capped(true).sizeInBytes(BYTES_MAX)));
        level(2);
    }

    /** The oldest first. Without those of the sweeper, which may look for unaccepted transactions at the same time. */
    List<Document> all() {
        List<Document> found = Flux.from(database.getCollection(PROFILE)
                        .find(Filters.and(
                                Filters.eq("ns", database.getName() + "." + CollectionNames.TRANSACTIONS),
                                Filters.eq("appName", "ligeiro-gateway-long-reads")))
                        .sort(new Document("$natural", 1)))
                .filter(query -> !query.toJson().contains(TransactionFields.UNACCEPTED))
                .collectList()
                .block(WAIT_MAX);
        return found == null ? List.of() : found;
    }

    /** The stages of a query's plan, from the top. */
    static List<String> stages(Document query) {
        List<String> stages = new ArrayList<>();
        addStages(query.get("execStats", Document.class), stages);
        return stages;
    }

    private static void addStages(Document stage, List<String> stages) {
        stages.add(stage.getString("stage"));
        if (stage.containsKey("inputStage")) {
            addStages(stage.get("inputStage", Document.class), stages);
        }
        stage.getList("inputStages", Document.class, List.of()).forEach(input -> addStages(input, stages));
    }

    private void level(int level) {
        wait(database.runCommand(new Document("profile", level)));
    }

    private static void wait(Publisher<?> publisher) {
        Mono.from(publisher).then().block(WAIT_MAX);
    }

    @Override
    public void close() {
        level(0);
        wait(database.getCollection(PROFILE).drop());
        client.close();
    }
}
