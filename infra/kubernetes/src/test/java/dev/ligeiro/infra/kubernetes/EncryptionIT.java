package dev.ligeiro.infra.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.message.Topics;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/** The overlay of a cluster: brokers require TLS and authentication, and each client has its rights by topic. */
class EncryptionIT {

    private final Overlay overlay = Overlay.of(Overlay.STRIMZI_MCK);

    @Test
    void everyListenerOfKafkaHasTlsAndAsksForAName() {
        JsonNode kafka = overlay.only("Kafka", "kafka").at("/spec/kafka");
        assertThat(kafka.path("listeners")).isNotEmpty().allSatisfy(listener -> {
            assertThat(listener.path("tls").asBoolean()).isTrue();
            assertThat(listener.at("/authentication/type").asString()).isEqualTo("tls");
        });
        assertThat(kafka.at("/authorization/type").asString()).isEqualTo("simple");
        assertThat(overlay.only("Kafka", "kafka")
                        .at("/spec/entityOperator/userOperator")
                        .isObject())
                .isTrue();
    }

    @Test
    void mongodbHasTlsAndAsksForAPassword() {
        JsonNode security = overlay.only("MongoDBCommunity", "mongodb").at("/spec/security");
        assertThat(security.at("/tls/enabled").asBoolean()).isTrue();
        assertThat(security.at("/tls/optional").isMissingNode()).isTrue();
        assertThat(security.at("/authentication/modes/0").asString()).isEqualTo("SCRAM");
        assertThat(overlay.only("Certificate", "mongodb").at("/spec/secretName").asString())
                .isEqualTo(security.at("/tls/certificateKeySecretRef/name").asString());
    }

    /** Each file that a setting names is in a volume of the pod, and each service has a user of its own. */
    @ParameterizedTest
    @EnumSource
    void everyServiceConnectsWithItsOwnCertificate(Service service) {
        assertThat(service.configured(overlay, "SPRING_KAFKA_SECURITY_PROTOCOL"))
                .isEqualTo("SSL");
        assertThat(service.configured(overlay, "SPRING_MONGODB_SSL_ENABLED")).isEqualTo("true");
        Map<String, JsonNode> volumes = new TreeMap<>();
        for (JsonNode mount : service.container(overlay).path("volumeMounts")) {
            service.pod(overlay).path("volumes").forEach(volume -> {
                if (volume.path("name").equals(mount.path("name"))) {
                    volumes.put(mount.path("mountPath").asString(), volume.path("secret"));
                }
            });
        }
        String user = "kafka-" + service.module();
        overlay.only("KafkaUser", user);
        assertThat(secretOf(volumes, service, "SPRING_SSL_BUNDLE_PEM_KAFKA_KEYSTORE_CERTIFICATE"))
                .isEqualTo(user);
        assertThat(secretOf(volumes, service, "SPRING_SSL_BUNDLE_PEM_KAFKA_KEYSTORE_PRIVATEKEY"))
                .isEqualTo(user);
        assertThat(secretOf(volumes, service, "SPRING_SSL_BUNDLE_PEM_KAFKA_TRUSTSTORE_CERTIFICATE"))
                .isEqualTo("kafka-cluster-ca-cert");
        assertThat(secretOf(volumes, service, "SPRING_SSL_BUNDLE_PEM_MONGODB_TRUSTSTORE_CERTIFICATE"))
                .isEqualTo("mongodb-tls");
    }

    private String secretOf(Map<String, JsonNode> volumes, Service service, String variable) {
        String file = service.configured(overlay, variable).replaceFirst("^file:", "");
        int name = file.lastIndexOf('/');
        JsonNode secret = volumes.getOrDefault(file.substring(0, name), MissingNode.getInstance());
        JsonNode items = secret.path("items");
        assertThat(items.isMissingNode() || items.at("/0/path").asString().equals(file.substring(name + 1)))
                .as(file)
                .isTrue();
        return secret.path("secretName").asString();
    }

    /** Of a provider too: nothing goes in the clear, and each service has a name and a password of its own. */
    @ParameterizedTest
    @EnumSource
    void managedBrokersGetTlsAndAUserOfEachService(Service service) {
        Overlay managed = Overlay.of(Overlay.MANAGED);
        assertThat(service.configured(managed, "SPRING_KAFKA_SECURITY_PROTOCOL"))
                .isEqualTo("SASL_SSL");
        assertThat(service.configured(managed, "SPRING_KAFKA_PROPERTIES_SASL_MECHANISM"))
                .isEqualTo("SCRAM-SHA-512");
        assertThat(service.configured(managed, "SPRING_MONGODB_SSL_ENABLED")).isEqualTo("true");
        assertThat(service.container(managed).path("env"))
                .filteredOn(variable -> variable.path("name").asString().endsWith("_JAAS_CONFIG"))
                .singleElement()
                .satisfies(variable -> assertThat(
                                variable.at("/valueFrom/secretKeyRef/name").asString())
                        .isEqualTo("ligeiro-kafka-" + service.module()));
        assertThat(managed.kind("ScaledObject")).allSatisfy(scaled -> {
            assertThat(scaled.at("/spec/triggers/0/metadata/sasl").asString()).isEqualTo("scram_sha512");
            assertThat(scaled.at("/spec/triggers/0/authenticationRef/name").asString())
                    .isEqualTo("kafka");
        });
    }

    /** A command is a decision about money, and an event is what a merchant is told. */
    @ParameterizedTest
    @CsvSource({
        Topics.COMMANDS + ", kafka-desk kafka-gateway kafka-processor",
        Topics.EVENTS + ", kafka-desk kafka-processor",
        Topics.COMMANDS + "-dlt, kafka-processor",
        Topics.EVENTS + "-dlt, kafka-webhook-dispatcher",
        Topics.AUDIT + ", kafka-desk"
    })
    void onlyTheseMayWrite(String topic, String users) {
        assertThat(allowed("topic", topic, "Write")).isEqualTo(new TreeSet<>(Set.of(users.split(" "))));
    }

    @ParameterizedTest
    @EnumSource(names = {"PROCESSOR", "WEBHOOK_DISPATCHER"})
    void onlyTheServiceItselfMayJoinItsGroup(Service service) {
        assertThat(allowed("group", service.setting("spring.kafka.consumer.group-id"), "Read"))
                .containsExactly("kafka-" + service.module());
    }

    @Test
    void nobodyMayDoEverything() {
        assertThat(overlay.kind("KafkaUser")).allSatisfy(user -> assertThat(user.at("/spec/authorization/acls"))
                .allSatisfy(acl -> {
                    assertThat(acl.at("/resource/name").asString()).isNotEqualTo("*");
                    assertThat(acl.path("operations").toString()).doesNotContain("All", "Alter", "Delete", "Create");
                }));
    }

    private Set<String> allowed(String type, String name, String operation) {
        return overlay.kind("KafkaUser")
                .filter(user -> user.at("/spec/authorization/acls")
                        .valueStream()
                        .anyMatch(acl -> acl.at("/resource/type").asString().equals(type)
                                && acl.at("/resource/name").asString().equals(name)
                                && acl.path("operations").toString().contains("\"" + operation + "\"")))
                .map(Overlay::nameOf)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
