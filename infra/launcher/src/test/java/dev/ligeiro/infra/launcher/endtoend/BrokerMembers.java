package dev.ligeiro.infra.launcher.endtoend;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import dev.ligeiro.infra.client.DemoEnv;
import dev.ligeiro.message.Topics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The members of MongoDB's replica set and, as many, of Kafka's cluster. */
final class BrokerMembers implements AutoCloseable {

    private static final Duration ANSWER_MAX = Duration.ofSeconds(3);
    private static final List<String> TOPICS = List.of(Topics.COMMANDS, Topics.EVENTS);

    private final List<MongoClient> mongods;
    private final Admin kafka;

    BrokerMembers(DemoEnv env) {
        ConnectionString whole = new ConnectionString(env.mongodbUri());
        mongods = whole.getHosts().stream()
                .map(address -> directly(address, env.mongodbTrust()))
                .toList();
        Map<String, Object> settings = env.kafkaClient();
        settings.put("default.api.timeout.ms", (int) ANSWER_MAX.toMillis());
        settings.put("request.timeout.ms", (int) ANSWER_MAX.toMillis());
        settings.put("reconnect.backoff.max.ms", 500);
        kafka = Admin.create(settings);
    }

    /** "hello" needs no password. */
    private static MongoClient directly(String address, @Nullable SSLContext trust) {
        String uri = "mongodb://%s/?directConnection=true&tls=%b".formatted(address, trust != null);
        return MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(uri))
                .applyToSslSettings(ssl -> ssl.context(trust))
                .applyToClusterSettings(
                        cluster -> cluster.serverSelectionTimeout(ANSWER_MAX.toMillis(), TimeUnit.MILLISECONDS))
                .build());
    }

    /** Whether there is a primary, each other mongod follows it, and each broker has all records of each partition. */
    boolean areWhole() {
        try {
            List<Document> hellos = mongods.stream().map(BrokerMembers::hello).toList();
            boolean follow = hellos.stream()
                    .allMatch(hello -> hello.getBoolean("isWritablePrimary", false)
                            || hello.getBoolean("secondary", false) && hello.containsKey("primary"));
            return follow
                    && kafka
                            .describeTopics(TOPICS)
                            .allTopicNames()
                            .get(ANSWER_MAX.toSeconds(), TimeUnit.SECONDS)
                            .values()
                            .stream()
                            .allMatch(this::isOnAllBrokers);
        } catch (MongoException | IllegalStateException | ExecutionException | TimeoutException away) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private boolean isOnAllBrokers(TopicDescription topic) {
        return topic.partitions().stream().allMatch(partition -> partition.isr().size() == mongods.size());
    }

    private static Document hello(MongoClient mongod) {
        return Mono.from(mongod.getDatabase("admin").runCommand(new Document("hello", 1)))
                .blockOptional(ANSWER_MAX)
                .orElseThrow();
    }

    @Override
    public void close() {
        mongods.forEach(MongoClient::close);
        kafka.close(ANSWER_MAX);
    }
}
