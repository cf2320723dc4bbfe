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
import java.util.stream.IntStream;
import org.bson.Document;
import reactor.core.publisher.Mono;

/** A replica set of local mongods, often of one: majority writes and change streams need a replica set. */
final class ReplicaSet {

    static final String NAME = "rs0";

    private static final int ALREADY_INITIALIZED = 23;
    private static final int ANSWER_SECONDS = 3;

    private ReplicaSet() {}

    /**
     * Whether the mongod at {@code port} is the primary or follows one. If not, it makes the first member initiate a new replica set, or
     * stand for election: by itself it would wait for 10 s.
     */
    static boolean hasPrimary(int port, List<Integer> members) {
        try (MongoClient client = MongoClients.create(directly(port))) {
            MongoDatabase admin = client.getDatabase("admin");
            Document hello = run(admin, new Document("hello", 1));
            if (hello.getBoolean("isWritablePrimary", false)) {
                return true;
            }
            boolean follower = hello.getBoolean("secondary", false);
            if (follower && hello.containsKey("primary")) {
                return true;
            }
            if (port == members.get(0) && follower) {
                run(admin, new Document("replSetStepUp", 1));
            } else if (port == members.get(0) && !hello.containsKey("setName")) {
                initiate(admin, members.stream().map(Ports::address).toList());
            }
            return false;
        } catch (MongoException e) {
            return false;
        }
    }

    private static void initiate(MongoDatabase admin, List<String> addresses) {
        List<Document> members = IntStream.range(0, addresses.size())
                .mapToObj(id -> new Document("_id", id).append("host", addresses.get(id)))
                .toList();
        try {
            run(admin, new Document("replSetInitiate", new Document("_id", NAME).append("members", members)));
        } catch (MongoCommandException e) {
            if (e.getErrorCode() != ALREADY_INITIALIZED) {
                throw e;
            }
            moveTo(admin, addresses);
        }
    }

    /**
     * After a change of the ports, the stored configuration has the old addresses. No mongod is elected until it has the new ones; the
     * other members take the configuration over from the first.
     */
    private static void moveTo(MongoDatabase admin, List<String> addresses) {
        Document config = run(admin, new Document("replSetGetConfig", 1)).get("config", Document.class);
        List<Document> members = config.getList("members", Document.class);
        if (members.stream().map(member -> member.getString("host")).toList().equals(addresses)) {
            return;
        }
        IntStream.range(0, addresses.size()).forEach(id -> members.get(id).put("host", addresses.get(id)));
        config.put("version", config.getInteger("version") + 1);
        run(admin, new Document("replSetReconfig", config).append("force", true));
    }

    private static Document run(MongoDatabase admin, Document command) {
        Document answer = Mono.from(admin.runCommand(command)).block(Duration.ofSeconds(2 * ANSWER_SECONDS));
        return Objects.requireNonNull(answer, "mongod sent no response");
    }

    private static MongoClientSettings directly(int port) {
        return MongoClientSettings.builder()
                .applyConnectionString(
                        new ConnectionString("mongodb://" + Ports.address(port) + "/?directConnection=true"))
                .applyToClusterSettings(cluster -> cluster.serverSelectionTimeout(ANSWER_SECONDS, TimeUnit.SECONDS))
                .applyToSocketSettings(socket -> socket.readTimeout(ANSWER_SECONDS, TimeUnit.SECONDS))
                .build();
    }
}
