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
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The dispatcher is killed between two steps, and another one takes over. The other one has a new consumer group: it receives
 * every event again, as after a crash before the commit, without the wait of 10 s for the end of the killed member's session.
 */
class CrashIT {

    private static final Duration SOON = Duration.ofSeconds(60);

    private final Path folder;
    private final TestEnvironment environment = new TestEnvironment();
    private final Tenant tenant = environment.tenant();
    private final WebhookEndpoint endpoint = environment.endpoints().register(tenant, "/hook");
    private final TransactionEvent event = environment.paid(tenant);
    private final List<ChildProcess> processes = new ArrayList<>();

    CrashIT(@TempDir Path folder) {
        this.folder = folder;
    }

    @BeforeEach
    void createTopic() {
        environment.events().createTopic();
    }

    @AfterEach
    void close() {
        processes.forEach(ChildProcess::kill);
        environment.close();
    }

    /**
     * The first dispatcher is killed before the delivery is stored, the second one when it is stored, and neither attempted nor its lane
     * marked. The redelivered event marks the lane.
     */
    @Test
    @Tag("nightly")
    void anEventHasOneDeliveryInSpiteOfCrashes() {
        CountDownLatch attempted = new CountDownLatch(1);
        environment.receiver().behave("/hook", (exchange, nth) -> {
            if (nth == 1) {
                // within the window of the batch: nothing is stored yet
                processes.get(0).kill();
                attempted.countDown();
            }
            WebhookReceiver.status(204).answer(exchange, nth);
        });

        ChildProcess first = startAndPublish("ligeiro.webhook.batch-window=10s");
        awaitEnd(first);
        assertThat(first.exitStatus()).as(first::failureSummary).isEqualTo("signal 9");
        await().atMost(SOON).until(() -> attempted.getCount() == 0);
        assertThat(environment.deliveries().of(endpoint)).isEmpty();

        ChildProcess second = start(CrashingDispatcher.CRASH_AFTER_INSERT);
        awaitEnd(second);
        assertThat(second.exitStatus()).as(second::failureSummary).isEqualTo("exit code " + CrashingDispatcher.CRASHED);
        assertThat(environment.deliveries().status(endpoint)).isEqualTo("scheduled");
        assertThat(environment.lanes().count()).isZero();

        environment.consumerGroup().renew();
        environment.startDispatcher("ligeiro.webhook.lane.sweep-interval=1h");
        awaitStatus("delivered");
        assertThat(environment.deliveries().of(endpoint)).hasSize(1);
        assertThat(received()).hasSize(2).allSatisfy(webhook -> assertThat(webhook.header("webhook-id"))
                .isEqualTo(event.id().toString()));
    }

    /** Its delivery is stored, but its offset is not committed. */
    @Test
    void aDeliveryThatSucceededBeforeACrashIsNotAttemptedAgain() {
        // with the default window, an attempt that is slow on a busy machine is stored before it ends
        ChildProcess crashed =
                startAndPublish(CrashingDispatcher.CRASH_AFTER_INSERT, "ligeiro.webhook.batch-window=10s");
        awaitEnd(crashed);
        Document stored = environment.deliveries().newest(endpoint).orElseThrow();
        assertThat(stored.getString("status")).isEqualTo("delivered");

        environment.consumerGroup().renew();
        environment.startDispatcher();
        awaitThatTheNextEventIsDelivered();
        assertThat(received()).hasSize(1);
        assertThat(environment.deliveries().of(endpoint)).containsExactly(stored);
    }

    /** Until then only the attempt of the killed process may be running at the merchant; afterwards only the lane's. */
    @Test
    @Tag("nightly")
    void anAttemptRunningAtACrashIsRepeatedWhenItsLeaseEnds() {
        CountDownLatch never = new CountDownLatch(1);
        environment
                .receiver()
                .behave(
                        "/hook",
                        WebhookReceiver.firstTimes(
                                1,
                                WebhookReceiver.when(never, WebhookReceiver.status(500)),
                                WebhookReceiver.status(204)));
        ChildProcess killed = startAndPublish(
                Stream.concat(Stream.of(TestEnvironment.LONG_ATTEMPTS), Stream.of("ligeiro.webhook.lane.slow-for=1ms"))
                        .toArray(String[]::new));
        awaitStatus("scheduled");
        await().atMost(SOON)
                .until(() -> environment.lanes().count() == 1 && received().size() == 1);
        killed.kill();
        Document leased = environment.deliveries().newest(endpoint).orElseThrow();
        assertThat(leased).doesNotContainKey("body");
        assertThat(leased.getDate("nextAttemptAt")).isAfter(Instant.now().plusSeconds(20));

        environment.consumerGroup().renew();
        environment.startDispatcher();
        awaitThatTheNextEventIsDelivered();
        assertThat(environment.deliveries().of(endpoint)).containsExactly(leased);
        assertThat(received()).hasSize(1);

        environment.deliveries().makeAllDue();
        awaitStatus("delivered");
        assertThat(environment.deliveries().of(endpoint)).hasSize(1);
        assertThat(received()).hasSize(2);
        never.countDown();
    }

    /** The event is published when the process has its partitions, so that it makes the first attempt from memory. */
    private ChildProcess startAndPublish(String... settings) {
        ChildProcess process = start(settings);
        environment.awaitPartitions();
        environment.events().publish(event);
        return process;
    }

    private ChildProcess start(String... settings) {
        environment.consumerGroup().renew();
        ChildProcess process = CrashingDispatcher.start(
                folder.resolve("dispatcher-%d.log".formatted(processes.size())), environment.arguments(settings));
        processes.add(process);
        return process;
    }

    private static void awaitEnd(ChildProcess process) {
        assertThat(process.endsWithin(SOON)).as(process::failureSummary).isTrue();
    }

    private void awaitStatus(String status) {
        await().atMost(SOON)
                .untilAsserted(() ->
                        assertThat(environment.deliveries().status(endpoint)).isEqualTo(status));
    }

    /**
     * Publishes one more event and waits for its delivery. The earlier events are then processed, because batches are processed
     * in order.
     */
    private void awaitThatTheNextEventIsDelivered() {
        WebhookEndpoint other = environment.endpoints().register(environment.tenant(), "/other");
        environment.events().publish(environment.paid(other.tenant()));
        await().atMost(SOON).until(() -> environment.deliveries().status(other).equals("delivered"));
    }

    private List<Received> received() {
        return environment.receiver().received("/hook");
    }
}
