package dev.ligeiro.infra.launcher.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import dev.ligeiro.infra.client.AdminApi;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.message.Topics;
import dev.ligeiro.testing.webhook.WebhookReceiver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import reactor.core.publisher.Mono;

/** {@code infra/run --secure} with three members of each broker: the rights of a cluster's users suffice, and others are refused. */
@Order(14)
@Isolated("it uses the whole machine")
@Timeout(900)
@Tag("nightly")
class SecureIT {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int UNAUTHORIZED = 13;
    private static final List<String> TOPICS = List.of(Topics.COMMANDS, Topics.EVENTS);
    private static final Pattern DELIBERATE_ATTEMPT = Pattern.compile(
            " User:kafka-webhook-dispatcher is Denied .* on resource = Topic:LITERAL:" + Topics.COMMANDS + " ");
    private static final SharedSystem LIGEIRO = new SharedSystem(withAuditTopic(SharedSystem.forTests()));

    private final Path security = LIGEIRO.home().resolve("secure");

    private static Map<String, String> withAuditTopic(Map<String, String> settings) {
        settings.put("LIGEIRO_KAFKA_AUDIT_TOPIC", "true");
        return settings;
    }

    @BeforeAll
    static void start() {
        LIGEIRO.start("--secure", "--kafka-brokers=3", "--mongodb-members=3");
    }

    @AfterAll
    static void stop() {
        LIGEIRO.stop();
    }

    /** Each service has what it needs: the desk makes the merchant. */
    @Test
    void aPaidCashinIsAnnounced() {
        try (WebhookReceiver receiver = new WebhookReceiver();
                BrokerMembers members = new BrokerMembers(LIGEIRO.environment())) {
            EndToEndMerchant merchant = LIGEIRO.newMerchant();
            merchant.api()
                    .post("/api/v1/webhooks", Map.of("url", receiver.url("/")))
                    .expect(201);
            merchant.pay(merchant.createCashin(merchant.cashin("10.00")).id());

            await().atMost(SOON).untilAsserted(() -> assertThat(receiver.received("/"))
                    .anySatisfy(webhook -> assertThat(webhook.body()).contains("\"paid\"")));
            await().atMost(SOON).until(members::areWhole);
        }
    }

    /** What a cashin does not need: dead letters and their redrive, the state of groups, the comparison after a backup, the audit. */
    @Test
    void eachServiceHasTheRightsForItsRareWork() throws IOException {
        try (KafkaProducer<byte[], byte[]> unreadable = new KafkaProducer<>(
                LIGEIRO.environment().kafkaClient(), new ByteArraySerializer(), new ByteArraySerializer())) {
            TOPICS.forEach(topic -> unreadable.send(new ProducerRecord<>(topic, new byte[] {1})));
        }
        Api desk = AdminApi.of(LIGEIRO.environment()).api();
        for (String topic : TOPICS) {
            await().atMost(SOON).until(() -> desk.get("/admin/dead-letters?topic=" + topic)
                    .json()
                    .at("/dead_letters/0/id")
                    .isString());
            desk.post("/admin/dead-letters/redrive", Map.of("topic", topic, "all", true, "dry_run", false))
                    .expect(200);
        }
        desk.get("/admin/after-backup?since=" + Instant.now().minusSeconds(600)).expect(200);
        await().atMost(SOON)
                .until(() ->
                        desk.get("/admin/status").expect(200).json().at("/lag").size() == 3);
    }

    /** A service that lacks a right may still work: it retries, or logs an error. */
    @AfterEach
    void kafkaRefusesOnlyTheDeliberateAttempt() throws IOException {
        assertThat(refusals()).allSatisfy(line -> assertThat(line).containsPattern(DELIBERATE_ATTEMPT));
    }

    /** In the logs of the brokers. */
    private static List<String> refusals() throws IOException {
        List<String> refusals = new ArrayList<>();
        for (String member : List.of("kafka", "kafka-2", "kafka-3")) {
            Files.readAllLines(LIGEIRO.home().resolve(member).resolve("kafka.log")).stream()
                    .filter(line -> line.contains(" Denied "))
                    .forEach(refusals::add);
        }
        return refusals;
    }

    @Test
    void kafkaRefusesAClientWithoutACertificate() throws IOException {
        try (Admin admin = Admin.create(kafka())) {
            assertThatThrownBy(() -> admin.describeCluster().nodes().get())
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(SslAuthenticationException.class);
        }
    }

    /** It talks to addresses that merchants choose. */
    @Test
    void theDispatcherMayNotWriteCommands() throws IOException {
        Map<String, Object> settings = kafka();
        settings.put("ssl.keystore.type", "PEM");
        settings.put("ssl.keystore.key", file("kafka-webhook-dispatcher.key"));
        settings.put("ssl.keystore.certificate.chain", file("kafka-webhook-dispatcher.pem"));
        try (KafkaProducer<byte[], byte[]> dispatcher =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            assertThatThrownBy(() -> dispatcher
                            .send(new ProducerRecord<>(Topics.COMMANDS, new byte[] {1}))
                            .get())
                    .hasCauseInstanceOf(TopicAuthorizationException.class);
            assertThat(dispatcher.partitionsFor(Topics.EVENTS)).isNotEmpty();
        }
        assertThat(refusals()).isNotEmpty();
    }

    @Test
    void mongodbRefusesAClientWithoutAPassword() {
        assertThatThrownBy(() -> insert("")).satisfies(SecureIT::isRefused);
    }

    @Test
    void operatorsChangeNoDocument() throws IOException {
        String password = file("mongodb-password-ligeiro-operations");
        assertThatThrownBy(() -> insert("ligeiro-operations:" + password + "@")).satisfies(SecureIT::isRefused);
    }

    private static void insert(String user) {
        String address = LIGEIRO.environment()
                .mongodbUri()
                .replaceFirst("//[^@]*@", "//" + user)
                .replace("authSource=local", "authSource=admin");
        if (user.isEmpty()) {
            address = address.replaceFirst("&authSource=.*", "");
        }
        MongoClientSettings settings = MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(address))
                .applyToSslSettings(ssl -> ssl.context(LIGEIRO.environment().mongodbTrust()))
                .build();
        try (MongoClient client = MongoClients.create(settings)) {
            Mono.from(client.getDatabase("ligeiro")
                            .runCommand(Document.parse("{insert: 'transactions', documents: [{_id: 1}]}")))
                    .block(SOON);
        }
    }

    private static void isRefused(Throwable error) {
        assertThat(error)
                .isInstanceOfSatisfying(MongoCommandException.class, refused -> assertThat(refused.getErrorCode())
                        .isEqualTo(UNAUTHORIZED));
    }

    /** Without a certificate. */
    private Map<String, Object> kafka() throws IOException {
        return new HashMap<>(Map.of(
                "bootstrap.servers",
                LIGEIRO.environment().kafkaBootstrapServers(),
                "security.protocol",
                "SSL",
                "ssl.truststore.type",
                "PEM",
                "ssl.truststore.certificates",
                file("ca.pem")));
    }

    private String file(String name) throws IOException {
        return Files.readString(security.resolve(name));
    }
}
