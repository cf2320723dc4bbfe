package dev.ligeiro.gateway.operator.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.message.Topics;
import dev.ligeiro.testing.brokers.TestBroker;
import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.testing.kafka.TestTopics;
import dev.ligeiro.testing.kafka.TopicReader;
import dev.ligeiro.testing.log.CapturedLogs;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * While Kafka or MongoDB is away, calls are answered 503 in time and without an error in the log; afterwards they succeed. The topic of the
 * audit gets later what was done meanwhile.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DeadLetterOutageIT {

    private static final String LIST = "/admin/dead-letters?topic=transaction-commands";
    private static final String REDRIVE = "/admin/dead-letters/redrive";
    /** The gateway allows 12 s for a list and 30 s for redriving; the remaining time is for a busy machine. */
    private static final Duration LIST_MAX = Duration.ofSeconds(15);

    private static final Duration REDRIVE_MAX = Duration.ofSeconds(35);

    private static final Duration RECOVERY_MAX = Duration.ofSeconds(40);
    /** Kafka would be waited for much longer: the producer gives up after 20 s. */
    private static final Duration ANSWER_MAX = Duration.ofSeconds(5);

    private final DeadLetterWriter writer = new DeadLetterWriter();
    private final RunningGateway gateway = RunningGateway.start("ligeiro.kafka.audit-topic=true");
    private final Api admin = gateway.admin();

    @AfterEach
    void startBrokers() {
        TestBrokers.kafka().start();
        TestBrokers.mongodb().start();
    }

    @AfterAll
    void close() {
        gateway.close();
        writer.close();
    }

    @Test
    void callsAreUnavailableWhileKafkaIsDown() {
        TestBroker kafka = TestBrokers.kafka();
        assertOutage(kafka, kafka::kill);
    }

    @Test
    void callsAreUnavailableWhileKafkaNeitherAnswersNorCloses() {
        TestBroker kafka = TestBrokers.kafka();
        assertOutage(kafka, kafka::freeze);
    }

    @Test
    void callsAreUnavailableWhileMongodbIsDown() {
        TestBroker mongodb = TestBrokers.mongodb();
        assertOutage(mongodb, mongodb::kill);
    }

    /** The operator does not wait for it. */
    @Test
    void linksOfTheAuditReachTheirTopicInOrderWhenKafkaIsBack() {
        TestTopics.create(Topics.AUDIT, 1);
        try (TopicReader audit = TopicReader.fromTheBeginning(Topics.AUDIT)) {
            String before = merchantMade();
            JsonNode link = await().until(() -> published(audit, before), links -> links.size() == 2)
                    .get(1);
            String chain = link.path("chain").asString();
            TestBrokers.kafka().kill();
            String first = merchantMade();
            String second = merchantMade();
            TestBrokers.kafka().start();

            await().atMost(RECOVERY_MAX).until(() -> published(audit, second).size() >= 2);
            assertThat(published(audit, first)).hasSizeGreaterThanOrEqualTo(2);
            // one that Kafka has taken without confirming it may come twice
            List<JsonNode> links = audit.records(chain).stream()
                    .map(DeadLetterOutageIT::json)
                    .distinct()
                    .toList();
            assertThat(links)
                    .extracting(each -> each.path("number").asLong())
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(1, links.size()).boxed().toList());
            for (int i = 1; i < links.size(); i++) {
                assertThat(links.get(i).path("previous"))
                        .isEqualTo(links.get(i - 1).path("hash"));
            }
            assertThat(storedLinks(chain))
                    .containsExactlyInAnyOrderElementsOf(links.stream()
                            .map(each -> each.path("number").asLong() + " "
                                    + each.path("hash").asString() + " "
                                    + each.path("digest").asString())
                            .toList());
        }
    }

    private String merchantMade() {
        Answer made = admin.post("/admin/merchants", "{\"name\":\"Loja\"}").expect(201);
        assertThat(made.after()).isLessThan(ANSWER_MAX);
        return "/admin/merchants/" + made.text("id");
    }

    /** The links of the request that made the path: its second link names it. */
    private static List<JsonNode> published(TopicReader audit, String created) {
        List<JsonNode> links =
                audit.records().stream().map(DeadLetterOutageIT::json).toList();
        Set<JsonNode> entries = links.stream()
                .map(link -> link.path("entry"))
                .filter(entry -> entry.path("created").asString().equals(created))
                .map(entry -> entry.path("id"))
                .collect(Collectors.toSet());
        return links.stream()
                .filter(link -> entries.contains(link.path("entry").path("id")))
                .toList();
    }

    private List<String> storedLinks(String chain) {
        return admin.get("/admin/audit/links")
                .expect(200)
                .json()
                .path("links")
                .valueStream()
                .flatMap(entry -> Stream.of(entry.path("begun"), entry.path("ended")))
                .filter(link -> link.path("chain").asString().equals(chain))
                .map(link ->
                        link.path("number").asLong() + " " + link.path("hash").asString() + " "
                                + link.path("digest").asString())
                .toList();
    }

    private static JsonNode json(ConsumerRecord<byte[], byte[]> record) {
        return JsonMapper.shared().readTree(record.value());
    }

    private void assertOutage(TestBroker broker, Runnable outage) {
        String id = writer.write(DeadLetterTopic.COMMANDS, UUID.randomUUID().toString(), "failed");
        String request = "{\"topic\":\"transaction-commands\",\"ids\":[\"" + id + "\"],\"dry_run\":false}";
        try (CapturedLogs logs = new CapturedLogs()) {
            outage.run();
            CompletableFuture<Answer> sending = admin.postAsync(REDRIVE, request);
            assertUnavailable(admin.get(LIST), LIST_MAX);
            assertUnavailable(sending.join(), REDRIVE_MAX);
            broker.start();

            await().atMost(RECOVERY_MAX).until(() -> admin.get(LIST).status() == 200);
            Answer[] sent = new Answer[1];
            await().atMost(RECOVERY_MAX).until(() -> {
                sent[0] = admin.post(REDRIVE, request);
                return sent[0].status() == 200;
            });
            assertThat(sent[0].json().path("count").asInt()).as(sent[0].body()).isEqualTo(1);
            assertThat(logs.errors()).isEmpty();
        }
    }

    private static void assertUnavailable(Answer answer, Duration max) {
        assertThat(answer.expectProblem(503, "unavailable").header("Retry-After"))
                .matches("[1-9][0-9]*");
        assertThat(answer.after()).as(answer.body()).isLessThan(max);
    }
}
