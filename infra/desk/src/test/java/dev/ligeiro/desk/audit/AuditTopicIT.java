package dev.ligeiro.desk.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.springframework.data.mongodb.core.query.Criteria.where;
import static org.springframework.data.mongodb.core.query.Query.query;

import dev.ligeiro.desk.fixture.RunningDesk;
import dev.ligeiro.message.Topics;
import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.testing.kafka.TestTopics;
import dev.ligeiro.testing.kafka.TopicReader;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The promise of {@code operator-audit}: no change waits for Kafka, and each link of the audit is there sooner or later, whatever happens to
 * Kafka or the desk meanwhile.
 */
class AuditTopicIT {

    private static final Duration SENT_WITHIN = Duration.ofSeconds(60);
    private static final JsonMapper JSON = new JsonMapper();

    private final String database =
            TestBrokers.mongodbUri("audit_" + UUID.randomUUID().toString().substring(0, 8));

    @AfterEach
    void startKafka() {
        TestBrokers.kafka().start();
    }

    @Test
    void noChangeWaitsForKafkaAndNoLinkIsLost() {
        TestTopics.delete(Topics.AUDIT);
        RunningDesk stopped = start();
        makeAMerchant(stopped);
        stopped.stop();
        try (RunningDesk desk = start()) {
            makeAMerchant(desk);
            TestTopics.create(Topics.AUDIT, 1);
            assertAllLinksArrive(desk, 2);

            TestBrokers.kafka().kill();
            makeAMerchant(desk);
            TestBrokers.kafka().start();
            assertAllLinksArrive(desk, 3);
        }
    }

    private RunningDesk start() {
        return RunningDesk.start("spring.mongodb.uri=" + database, "ligeiro.kafka.audit-topic=true");
    }

    /** It is answered at once, and its entry is in the audit, with its outcome. */
    private static void makeAMerchant(RunningDesk desk) {
        long begun = System.nanoTime();
        String id = desk.admin()
                .post("/admin/merchants", Map.of("name", "Loja da Ana"))
                .expect(201)
                .json()
                .path("id")
                .asString();
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(5));
        assertThat(desk.admin()
                        .get("/admin/audit?merchant=" + id)
                        .expect(200)
                        .json()
                        .at("/audit/0/status")
                        .asInt())
                .isEqualTo(201);
    }

    private static void assertAllLinksArrive(RunningDesk desk, int changes) {
        Set<String> stored = new TreeSet<>();
        for (JsonNode entry :
                desk.admin().get("/admin/audit/links").expect(200).json().path("links")) {
            stored.add(link(entry.path("begun")));
            stored.add(link(entry.path("ended")));
        }
        stored.remove("");
        assertThat(stored).hasSizeGreaterThanOrEqualTo(2 * changes);
        try (TopicReader topic = TopicReader.fromTheBeginning(Topics.AUDIT)) {
            await().atMost(SENT_WITHIN).untilAsserted(() -> {
                Set<String> sent = new TreeSet<>();
                topic.records().forEach(record -> sent.add(link(JSON.readTree(record.value()))));
                assertThat(sent).containsAll(stored);
                assertThat(desk.mongo().exists(query(where("unsent").exists(true)), AuditEntry.class))
                        .isFalse();
            });
        }
    }

    /** All of a link and its digest; {@code ""} for none. */
    private static String link(JsonNode link) {
        return link.isNull()
                ? ""
                : "%s %s %s %s %s"
                        .formatted(
                                link.path("chain").asString(),
                                link.path("number").asLong(),
                                link.path("previous").asString(),
                                link.path("hash").asString(),
                                link.path("digest").asString());
    }
}
