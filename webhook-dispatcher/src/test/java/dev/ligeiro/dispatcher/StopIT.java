package dev.ligeiro.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.store.EndpointFields;
import dev.ligeiro.store.LaneFields;
import dev.ligeiro.testing.log.CapturedLogs;
import dev.ligeiro.testing.webhook.WebhookReceiver;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.WebhookEndpoint;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** The stop of a dispatcher with a running attempt. */
class StopIT {

    private static final Duration SOON = Duration.ofSeconds(60);

    private final TestEnvironment environment = new TestEnvironment();
    private final Tenant tenant = environment.tenant();
    private final WebhookEndpoint endpoint = environment.endpoints().register(tenant, "/slow");
    private final CountDownLatch release = new CountDownLatch(1);

    @AfterEach
    void close() {
        release.countDown();
        environment.close();
    }

    @Test
    void aStopWaitsForARunningAttemptAndWritesItsResult() throws InterruptedException {
        ConfigurableApplicationContext dispatcher = dispatcherWithARunningAttempt();
        Thread stopping = stop(dispatcher);
        release.countDown();
        stopping.join(SOON.toMillis());
        assertThat(environment.deliveries().status(endpoint)).isEqualTo("delivered");
        assertThat(environment.receiver().received("/slow")).hasSize(1);
    }

    @Test
    void anAttemptThatOutlastsTheStopKeepsItsLeaseAndIsNoErrorWhenItEnds() throws InterruptedException {
        // the attempt ends by its time-out, because the HTTP client is closed
        ConfigurableApplicationContext dispatcher = dispatcherWithARunningAttempt(
                "spring.lifecycle.timeout-per-shutdown-phase=1s", "ligeiro.webhook.total-timeout=12s");
        Gauge attempts = dispatcher
                .getBean(MeterRegistry.class)
                .get("ligeiro.webhook.attempts.in_flight")
                .gauge();
        stop(dispatcher).join(SOON.toMillis());
        assertThat(attempts.value()).isEqualTo(1);
        assertThat(environment.deliveries().newest(endpoint).orElseThrow())
                .containsKey("nextAttemptAt")
                .doesNotContainKey("body");
        assertThat(environment.deliveries().status(endpoint)).isEqualTo("scheduled");

        try (CapturedLogs logs = new CapturedLogs()) {
            release.countDown();
            await().atMost(SOON).during(Duration.ofMillis(500)).until(() -> attempts.value() == 0);

            assertThat(logs.errors()).isEmpty();
        }
    }

    /** A lane that cannot be read is tried again every two seconds; a stop that never tried again would wait in vain. */
    @Test
    void aStopGivesBackALaneThatCannotBeRead() {
        environment.events().createTopic();
        WebhookEndpoint feed = environment.endpoints().makeFeed(tenant);
        environment.endpoints().set(feed, EndpointFields.LAST_NUMBER, "unreadable");
        environment.deliveries().insertDue(feed, environment.paid(tenant));
        ConfigurableApplicationContext dispatcher = environment.startDispatcher();
        environment.lanes().markDue(feed);
        await().atMost(SOON).until(() -> environment.lanes().of(feed).containsKey(LaneFields.CLAIM));

        dispatcher.close();
        assertThat(environment.lanes().of(feed)).containsKey(LaneFields.DUE_AT).doesNotContainKey(LaneFields.CLAIM);
    }

    private ConfigurableApplicationContext dispatcherWithARunningAttempt(String... settings) {
        environment.events().createTopic();
        environment.receiver().behave("/slow", WebhookReceiver.when(release, WebhookReceiver.status(200)));
        // published before the start, it is not attempted from memory
        environment.events().publish(environment.paid(tenant));
        ConfigurableApplicationContext dispatcher =
                environment.startDispatcher(Stream.concat(Stream.of(TestEnvironment.LONG_ATTEMPTS), Stream.of(settings))
                        .toArray(String[]::new));
        await().atMost(SOON)
                .until(() -> environment.deliveries().status(endpoint).equals("scheduled"));
        // a lane stores the delivery before it begins the attempt
        await().atMost(SOON)
                .until(() -> environment.receiver().received("/slow").size() == 1);
        return dispatcher;
    }

    private static Thread stop(ConfigurableApplicationContext dispatcher) {
        Thread stopping = new Thread(dispatcher::close, "stopping");
        stopping.start();
        await().atMost(SOON).until(dispatcher::isClosed);
        return stopping;
    }
}
