package dev.ligeiro.infra.launcher;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.infra.brokers.Polling;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.bson.Document;
import org.yaml.snakeyaml.Yaml;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Gives the brokers of {@code --secure} what operators give them in a cluster: the topics, which the processor may not create, and the users
 * with their rights. All of it is read from the overlay {@code strimzi-mck}, so a right that a service lacks there is missing here too.
 */
final class BrokerRights {

    private static final Path OVERLAY = Path.of("infra", "kubernetes", "overlays", "strimzi-mck");
    private static final Duration ANSWER_MAX = Duration.ofSeconds(30);
    private static final JsonMapper JSON = new JsonMapper();

    /** MongoDB's error codes of a role and a user that exist. */
    private static final Set<Integer> EXISTS = Set.of(51_002, 51_003);

    private final Path overlay;

    private BrokerRights(Path overlay) {
        this.overlay = overlay;
    }

    /**
     * Adds what is missing since an earlier start, and takes rights in Kafka away that the overlay no longer has.
     *
     * @param partitions of the topics of commands and events
     */
    static void give(Brokers brokers, BrokerSecurity security, Options options, int partitions, Path root) {
        BrokerRights rights = new BrokerRights(root.resolve(OVERLAY));
        Map<String, Object> client = new HashMap<>(security.kafkaClient());
        client.put("bootstrap.servers", brokers.kafkaBootstrapServers());
        try (Admin kafka = Admin.create(client)) {
            awaitAll(kafka, options.kafkaBrokers);
            rights.createTopics(kafka, partitions, options.kafkaBrokers);
            rights.allow(kafka);
        }
        MongoClientSettings member = MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(brokers.mongodbUriOfTools()))
                .applyToSslSettings(ssl -> ssl.context(brokers.mongodbTrust()))
                .build();
        try (MongoClient mongodb = MongoClients.create(member)) {
            rights.createUsers(mongodb, security.home());
        }
    }

    /** A topic of three replicas cannot be created before three brokers have joined. */
    private static void awaitAll(Admin kafka, int brokers) {
        if (!Polling.until(() -> answer(kafka.describeCluster().nodes()).size() == brokers, ANSWER_MAX)) {
            throw new CannotStartException("--secure: not all of the %d Kafka brokers have joined".formatted(brokers));
        }
    }

    /** An earlier start may have made them with fewer partitions. */
    private void createTopics(Admin kafka, int partitions, int brokers) {
        List<NewTopic> topics = documents("topics.yaml")
                .map(each -> topic(each, partitions, brokers))
                .toList();
        Set<String> existing = answer(kafka.listTopics().names());
        answer(kafka.createTopics(topics.stream()
                        .filter(topic -> !existing.contains(topic.name()))
                        .toList())
                .all());
        Map<String, Integer> wanted = topics.stream()
                .filter(topic -> existing.contains(topic.name()))
                .collect(Collectors.toMap(NewTopic::name, NewTopic::numPartitions));
        Map<String, NewPartitions> more = new HashMap<>();
        for (TopicDescription topic :
                answer(kafka.describeTopics(wanted.keySet()).allTopicNames()).values()) {
            int count = wanted.getOrDefault(topic.name(), 0);
            if (topic.partitions().size() < count) {
                more.put(topic.name(), NewPartitions.increaseTo(count));
            }
        }
        answer(kafka.createPartitions(more).all());
    }

    private static NewTopic topic(JsonNode document, int partitions, int brokers) {
        JsonNode spec = document.required("spec");
        boolean single = spec.required("partitions").asInt() == 1;
        Map<String, String> config = new HashMap<>();
        spec.required("config").forEachEntry((name, value) -> config.put(name, value.asString()));
        config.put("min.insync.replicas", Integer.toString(Math.max(1, brokers - 1)));
        return new NewTopic(document.at("/metadata/name").asString(), single ? 1 : partitions, (short) brokers)
                .configs(config);
    }

    private void allow(Admin kafka) {
        Set<AclBinding> wanted = documents("users.yaml")
                .filter(each -> each.required("kind").asString().equals("KafkaUser"))
                .flatMap(BrokerRights::rights)
                .collect(Collectors.toSet());
        List<AclBindingFilter> superfluous = answer(
                        kafka.describeAcls(AclBindingFilter.ANY).values())
                .stream()
                .filter(each -> !wanted.contains(each))
                .map(AclBinding::toFilter)
                .toList();
        answer(kafka.deleteAcls(superfluous).all());
        answer(kafka.createAcls(wanted).all());
    }

    private static Stream<AclBinding> rights(JsonNode user) {
        String principal = "User:" + user.at("/metadata/name").asString();
        return user.at("/spec/authorization/acls").valueStream().flatMap(right -> {
            ResourcePattern resource = new ResourcePattern(
                    ResourceType.fromString(right.at("/resource/type").asString()),
                    right.at("/resource/name").asString(),
                    PatternType.LITERAL);
            return right.required("operations")
                    .valueStream()
                    .map(operation -> new AclBinding(
                            resource,
                            new AccessControlEntry(
                                    principal,
                                    "*",
                                    AclOperation.fromString(operation.asString()),
                                    AclPermissionType.ALLOW)));
        });
    }

    private void createUsers(MongoClient mongodb, Home home) {
        JsonNode spec = documents("mongodb.yaml").findFirst().orElseThrow().required("spec");
        for (JsonNode role : spec.at("/security/roles")) {
            List<Document> privileges = role.required("privileges")
                    .valueStream()
                    .map(each -> Document.parse(each.toString()))
                    .toList();
            Document content = new Document("privileges", privileges).append("roles", List.of());
            put(mongodb, role, "Role", role.required("role").asString(), content);
        }
        for (JsonNode user : spec.required("users")) {
            String name = user.required("name").asString();
            List<Document> roles = user.required("roles")
                    .valueStream()
                    .map(role -> new Document("role", role.required("name").asString())
                            .append("db", role.required("db").asString()))
                    .toList();
            put(mongodb, user, "User", name, new Document("pwd", home.mongodbPassword(name)).append("roles", roles));
        }
    }

    /** Creates a role or a user, or replaces its content. */
    private static void put(MongoClient mongodb, JsonNode source, String kind, String name, Document content) {
        MongoDatabase database = mongodb.getDatabase(source.required("db").asString());
        try {
            run(database, "create" + kind, name, content);
        } catch (MongoCommandException e) {
            if (!EXISTS.contains(e.getErrorCode())) {
                throw e;
            }
            run(database, "update" + kind, name, content);
        }
    }

    private static void run(MongoDatabase database, String command, String name, Document content) {
        Document whole = new Document(command, name);
        whole.putAll(content);
        Mono.from(database.runCommand(whole)).block(ANSWER_MAX);
    }

    private Stream<JsonNode> documents(String file) {
        try {
            Iterable<Object> documents = new Yaml().loadAll(Files.readString(overlay.resolve(file)));
            return StreamSupport.stream(documents.spliterator(), false).map(JSON::<JsonNode>valueToTree);
        } catch (IOException e) {
            throw new CannotStartException("--secure: %s cannot be read: %s".formatted(overlay.resolve(file), e), e);
        }
    }

    private static <T> T answer(KafkaFuture<T> future) {
        try {
            return future.get(ANSWER_MAX.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new CannotStartException("--secure: topics and rights cannot be set up in Kafka: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CannotStartException("stopped", e);
        }
    }
}
