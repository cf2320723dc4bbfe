package dev.ligeiro.infra.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.message.Topics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The brokers of the overlays have the settings that the services and docker-compose.yml have. */
class BrokerManifestsIT {

    private static final JsonNode COMPOSE = Yaml.file(Yaml.ROOT.resolve("docker-compose.yml"));
    private static final Pattern WIRED_TIGER = Pattern.compile("--(wiredTiger\\w+ConfigString|setParameter)=?");

    private final Overlay small = Overlay.of(Overlay.SMALL);
    private final Overlay operators = Overlay.of(Overlay.STRIMZI_MCK);

    /** With other values than the processor's, Strimzi and the processor would change a topic in turn. */
    @Test
    void strimzisTopicsAreThoseThatTheProcessorCreates() {
        Map<String, JsonNode> topics =
                operators.kind("KafkaTopic").collect(Collectors.toMap(Overlay::nameOf, topic -> topic.path("spec")));
        assertThat(topics)
                .containsOnlyKeys(
                        Topics.COMMANDS,
                        Topics.EVENTS,
                        Topics.deadLetter(Topics.COMMANDS),
                        Topics.deadLetter(Topics.EVENTS),
                        Topics.AUDIT);
        JsonNode audit = topics.remove(Topics.AUDIT).path("config");
        assertThat(audit.path("retention.ms").asInt()).isEqualTo(-1);
        assertThat(audit.path("cleanup.policy").asString()).isEqualTo("delete");
        String replicas = Service.PROCESSOR.configured(operators, "LIGEIRO_KAFKA_REPLICAS");
        topics.forEach((name, topic) -> {
            boolean dead = name.endsWith("-dlt");
            String partitions = dead ? "1" : Service.PROCESSOR.configured(operators, "LIGEIRO_KAFKA_PARTITIONS");
            assertThat(topic.path("partitions").asString()).as(name).isEqualTo(partitions);
            assertThat(topic.path("replicas").asString()).as(name).isEqualTo(replicas);
            JsonNode config = topic.path("config");
            assertThat(config.path("min.insync.replicas").asInt()).isEqualTo(Integer.parseInt(replicas) - 1);
            assertThat(config.path("cleanup.policy").asString()).isEqualTo("delete");
            String retention = dead ? "ligeiro.kafka.dead-letter-retention" : "ligeiro.kafka.retention";
            assertThat(Duration.ofMillis(config.path("retention.ms").asLong()))
                    .isEqualTo(Duration.parse("P" + Service.PROCESSOR.setting(retention)));
            assertThat(config.path("segment.ms").asLong())
                    .isEqualTo(config.path("retention.ms").asLong() / 14);
        });
        assertThat(operators
                        .only("KafkaTopic", Topics.COMMANDS)
                        .at("/spec/config/message.timestamp.type")
                        .asString())
                .isEqualTo("LogAppendTime");
    }

    /** Only the advertised name differs: it has the namespace, since KEDA has another one. */
    @Test
    void theSmallKafkaIsThatOfCompose() {
        JsonNode compose = COMPOSE.at("/services/kafka/environment");
        JsonNode container = small.only("StatefulSet", "kafka").at("/spec/template/spec/containers/0");
        assertThat(container.path("image").asString())
                .isEqualTo(COMPOSE.at("/services/kafka/image").asString());
        for (JsonNode variable : container.path("env")) {
            String name = variable.path("name").asString();
            if (!name.equals("CLUSTER_ID") && !name.equals("KAFKA_LOG_DIRS")) {
                assertThat(variable.path("value").asString())
                        .as(name)
                        .isEqualTo(compose.path(name).asString().replace("//kafka:", "//kafka.ligeiro:"));
            }
        }
    }

    @Test
    void theSmallMongodIsThatOfCompose() {
        JsonNode container = small.only("StatefulSet", "mongodb").at("/spec/template/spec/containers/0");
        assertThat(container.path("image").asString())
                .isEqualTo(COMPOSE.at("/services/mongodb/image").asString());
        List<String> compose = texts(COMPOSE.at("/services/mongodb/command"));
        assertThat(compose.get(0)).isEqualTo("mongod");
        assertThat(texts(container.path("args"))).isEqualTo(compose.subList(1, compose.size()));
    }

    @Test
    void mcksMongodHasThePagesOfCompose() {
        Map<String, String> options = texts(COMPOSE.at("/services/mongodb/command")).stream()
                .filter(option -> WIRED_TIGER.matcher(option).lookingAt())
                .map(option -> option.substring(2).split("=", 2))
                .collect(Collectors.toMap(option -> option[0], option -> option[1]));
        JsonNode config = operators.only("MongoDBCommunity", "mongodb").at("/spec/additionalMongodConfig");
        String wiredTiger = "storage.wiredTiger.%sConfig.configString";
        assertThat(config.path(wiredTiger.formatted("engine")).asString())
                .isEqualTo(options.get("wiredTigerEngineConfigString"));
        assertThat(config.path(wiredTiger.formatted("collection")).asString())
                .isEqualTo(options.get("wiredTigerCollectionConfigString"));
        assertThat(config.path(wiredTiger.formatted("index")).asString())
                .isEqualTo(options.get("wiredTigerIndexConfigString"));
        assertThat(options)
                .containsEntry(
                        "setParameter",
                        "minSnapshotHistoryWindowInSeconds="
                                + config.path("setParameter.minSnapshotHistoryWindowInSeconds")
                                        .asString());
    }

    private static List<String> texts(JsonNode list) {
        return list.valueStream().map(JsonNode::asString).toList();
    }
}
