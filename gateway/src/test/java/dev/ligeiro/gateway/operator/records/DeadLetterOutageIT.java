package dev.ligeiro.gateway.operator.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.testing.brokers.TestBroker;
import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.testing.log.CapturedLogs;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** While Kafka or MongoDB is away, calls are answered 503 in time and without an error in the log; afterwards they succeed. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DeadLetterOutageIT {

    private static final String LIST = "/admin/dead-letters?topic=transaction-commands";
    private static final String REDRIVE = "/admin/dead-letters/redrive";
    /** The gateway allows 12 s for a list and 30 s for redriving; the remaining time is for a busy machine. */
    private static final Duration LIST_MAX = Duration.ofSeconds(15);

    private static final Duration REDRIVE_MAX = Duration.ofSeconds(35);

    private static final Duration RECOVERY_MAX = Duration.ofSeconds(40);

    private final DeadLetterWriter writer = new DeadLetterWriter();
    private final RunningGateway gateway = RunningGateway.start();
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
