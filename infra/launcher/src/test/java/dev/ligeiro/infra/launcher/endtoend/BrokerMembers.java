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
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.bson.Document;
import reactor.core.publisher.Mono;

/**
 * The members of MongoDB's replica set and of Kafka's cluster. They are numbered from 0 in the order of their addresses, which is that of
 * their pids in {@code demo.env}.
 */
final class BrokerMembers implements AutoCloseable {

    private static final Duration ANSWER_MAX = Duration.ofSeconds(3);
    private static final List<String> TOPICS = List.of(Topics.COMMANDS, Topics.EVENTS);

    private final List<MongoClient> mongods;
    private final Admin kafka;

    BrokerMembers(DemoEnv env) {
        mongods = new ConnectionString(env.mongodbUri())
                .getHosts().stream().map(BrokerMembers::directly).toList();
        kafka = Admin.create(Map.of(
                "bootstrap.servers",
                env.kafkaBootstrapServers(),
                "default.api.timeout.ms",
                (int) ANSWER_MAX.toMillis(),
                "request.timeout.ms",
                (int) ANSWER_MAX.toMillis(),
                "reconnect.backoff.max.ms",
                500));
    }

    private static MongoClient directly(String address) {
        return MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString("mongodb://" + address + "/?directConnection=true"))
                .applyToClusterSettings(
                        cluster -> cluster.serverSelectionTimeout(ANSWER_MAX.toMillis(), TimeUnit.MILLISECONDS))
                .build());
    }

    int size() {
        return mongods.size();
    }

    /** @throws IllegalStateException when there is none */
    int primary() {
        for (int member = 0; member < mongods.size(); member++) {
            if (hello(member).getBoolean("isWritablePrimary", false)) {
                return member;
            }
        }
        throw new IllegalStateException("no primary");
    }

    /** The broker with the active controller. */
    int controller() {
        try {
            return kafka.describeMetadataQuorum()
                            .quorumInfo()
                            .get(ANSWER_MAX.toSeconds(), TimeUnit.SECONDS)
                            .leaderId()
                    - 1;
        } catch (ExecutionException | InterruptedException | TimeoutException e) {
            throw new IllegalStateException("no controller", e);
        }
    }

    /** Whether there is a primary, each other mongod follows it, and each broker has all records of each partition. */
    boolean areWhole() {
        try {
            primary();
            for (int member = 0; member < mongods.size(); member++) {
                Document hello = hello(member);
                if (!hello.getBoolean("isWritablePrimary", false) && !hello.getBoolean("secondary", false)) {
                    return false;
                }
            }
            return kafka
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
        return topic.partitions().stream().allMatch(partition -> partition.isr().size() == size());
    }

    private Document hello(int member) {
        Document command = new Document("hello", 1);
        return Mono.from(mongods.get(member).getDatabase("admin").runCommand(command))
                .blockOptional(ANSWER_MAX)
                .orElseThrow();
    }

    @Override
    public void close() {
        mongods.forEach(MongoClient::close);
        kafka.close(ANSWER_MAX);
    }
}
