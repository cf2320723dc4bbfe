package dev.ligeiro.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.testing.webhook.WebhookReceiver;
import dev.ligeiro.testing.webhook.WebhookReceiver.Received;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The dispatcher is killed between two steps, and another one takes over. The other one is of a new consumer group, so it gets
 * every event again, as after a crash before the commit, and need not wait 10 s until the session of the dead member ends.
 */
class CrashIT {

    private static final Duration SOON = Duration.ofSeconds(60);

    private final Path folder;
    private final Stage stage = new Stage();
    private final Tenant tenant = stage.tenant();
    private final WebhookEndpoint endpoint = stage.register(tenant, "/hook");
    private final TransactionEvent event = Stage.paid(tenant);
    private final List<ChildProcess> processes = new ArrayList<>();

    CrashIT(@TempDir Path folder) {
        this.folder = folder;
    }

    @BeforeEach
    void publish() {
        stage.createTopic();
        stage.publish(event);
    }

    @AfterEach
    void close() {
        processes.forEach(ChildProcess::kill);
        stage.close();
    }

    /** First it dies before the delivery is stored, then before the offset is committed. */
    @Test
    void anEventHasOneDeliveryWhereverTheDispatcherDies() {
        CountDownLatch attempted = new CountDownLatch(1);
        stage.receiver().behave("/hook", (exchange, nth) -> {
            if (nth == 1) {
                // within the window of the round: nothing is stored yet
                processes.get(0).kill();
                attempted.countDown();
            }
            WebhookReceiver.status(nth <= 2 ? 204 : 500).answer(exchange, nth);
        });

        ChildProcess first = start("ligeiro.webhook.round.window=10s");
        awaitEnd(first);
        assertThat(first.ending()).as(first::failureSummary).isEqualTo("signal 9");
        assertThat(attempted.getCount()).isZero();
        assertThat(stage.deliveries(endpoint)).isEmpty();

        ChildProcess second = start(CrashingDispatcher.CRASH_AFTER_INSERT);
        awaitEnd(second);
        assertThat(second.ending()).as(second::failureSummary).isEqualTo("exit code " + CrashingDispatcher.CRASHED);
        Document stored = stage.delivery(endpoint).orElseThrow();
        assertThat(stored.getString("status")).isEqualTo("delivered");

        stage.newConsumerGroup();
        stage.startDispatcher();
        await().atMost(SOON).until(() -> received().size() == 3);
        awaitThatTheNextEventIsDelivered();
        assertThat(received()).hasSize(3).allSatisfy(webhook -> assertThat(webhook.header("webhook-id"))
                .isEqualTo(event.id().toString()));
        assertThat(stage.deliveries(endpoint)).containsExactly(stored);
    }

    /** The stored row must not make the next dispatcher believe that the attempt was made. */
    @Test
    void aDeliveryUnderWayWhenTheDispatcherDiesIsAttemptedAgainWhenItsLeaseEnds() {
        CountDownLatch never = new CountDownLatch(1);
        stage.receiver()
                .behave(
                        "/hook",
                        WebhookReceiver.firstTimes(
                                1,
                                WebhookReceiver.when(never, WebhookReceiver.status(500)),
                                WebhookReceiver.status(204)));
        ChildProcess killed = start();
        awaitStatus("scheduled");
        killed.kill();
        Document leased = stage.delivery(endpoint).orElseThrow();
        assertThat(leased).containsKeys("claim", "body");
        assertThat(leased.getDate("nextAttemptAt")).isAfter(Instant.now().plusSeconds(20));

        stage.newConsumerGroup();
        stage.startDispatcher();
        await().atMost(SOON).until(() -> received().size() == 2); // the event that comes again
        awaitThatTheNextEventIsDelivered();
        assertThat(stage.deliveries(endpoint)).containsExactly(leased);

        endTheLease(leased);
        awaitStatus("delivered");
        assertThat(stage.deliveries(endpoint)).hasSize(1);
        assertThat(received()).hasSize(3);
        never.countDown();
    }

    private ChildProcess start(String... settings) {
        stage.newConsumerGroup();
        ChildProcess process = CrashingDispatcher.start(
                folder.resolve("dispatcher-%d.log".formatted(processes.size())), stage.arguments(settings));
        processes.add(process);
        return process;
    }

    private static void awaitEnd(ChildProcess process) {
        assertThat(process.endsWithin(SOON)).as(process::failureSummary).isTrue();
    }

    private void awaitStatus(String status) {
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(stage.status(endpoint)).isEqualTo(status));
    }

    /** Whatever the dispatcher does with earlier events is done by then: it takes them in order, batch by batch. */
    private void awaitThatTheNextEventIsDelivered() {
        WebhookEndpoint other = stage.register(stage.tenant(), "/other");
        stage.publish(Stage.paid(other.tenant()));
        await().atMost(SOON).until(() -> stage.status(other).equals("delivered"));
    }

    /** As if its time had passed. */
    private void endTheLease(Document delivery) {
        Stage.run(stage.deliveries()
                .updateOne(
                        new Document("_id", delivery.get("_id")),
                        new Document("$set", new Document("nextAttemptAt", new Date(0)))));
    }

    private List<Received> received() {
        return stage.receiver().received("/hook");
    }
}
