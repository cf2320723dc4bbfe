package dev.ligeiro.infra.brokers;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import com.mongodb.reactivestreams.client.MongoDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import reactor.core.publisher.Mono;

/** The replica set whose only member is a local mongod: majority writes and change streams need a replica set. */
final class ReplicaSet {

    static final String NAME = "rs0";

    private static final int ALREADY_INITIALIZED = 23;
    private static final int ANSWER_SECONDS = 3;

    private ReplicaSet() {}

    /** Whether the mongod at this address takes writes. Initiates a new replica set and returns false. */
    static boolean primaryAt(String address) {
        try (MongoClient client = MongoClients.create(directly(address))) {
            MongoDatabase admin = client.getDatabase("admin");
            Document hello = run(admin, new Document("hello", 1));
            if (hello.getBoolean("isWritablePrimary", false)) {
                return true;
            }
            if (!hello.containsKey("setName")) {
                initiate(admin, address);
            }
            return false;
        } catch (MongoException e) {
            return false;
        }
    }

    private static void initiate(MongoDatabase admin, String address) {
        Document config =
                new Document("_id", NAME).append("members", List.of(new Document("_id", 0).append("host", address)));
        try {
            run(admin, new Document("replSetInitiate", config));
        } catch (MongoCommandException e) {
            if (e.getErrorCode() != ALREADY_INITIALIZED) {
                throw e;
            }
            moveTo(admin, address);
        }
    }

    /** After a change of the port, the stored configuration has the old address. The mongod is not elected until it has the new one. */
    private static void moveTo(MongoDatabase admin, String address) {
        Document config = run(admin, new Document("replSetGetConfig", 1)).get("config", Document.class);
        Document member = config.getList("members", Document.class).get(0);
        if (address.equals(member.getString("host"))) {
            return;
        }
        member.put("host", address);
        config.put("version", config.getInteger("version") + 1);
        run(admin, new Document("replSetReconfig", config).append("force", true));
    }

    private static Document run(MongoDatabase admin, Document command) {
        Document answer = Mono.from(admin.runCommand(command)).block(Duration.ofSeconds(2 * ANSWER_SECONDS));
        return Objects.requireNonNull(answer, "mongod sent no response");
    }

    private static MongoClientSettings directly(String address) {
        return MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString("mongodb://" + address + "/?directConnection=true"))
                .applyToClusterSettings(cluster -> cluster.serverSelectionTimeout(ANSWER_SECONDS, TimeUnit.SECONDS))
                .applyToSocketSettings(socket -> socket.readTimeout(ANSWER_SECONDS, TimeUnit.SECONDS))
                .build();
    }
}
