package dev.ligeiro.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.store.EndpointFields;
import dev.ligeiro.store.LaneFields;
import dev.ligeiro.testing.webhook.WebhookReceiver;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One dispatcher that works on one lane at a time. */
class ClaimedMaxIT {

    private static final Duration SOON = Duration.ofSeconds(60);

    @RegisterExtension
    static final StartedDispatcher DISPATCHER = new StartedDispatcher(
            "ligeiro.webhook.lane.claimed-max=1",
            "ligeiro.webhook.lane.failures-max=100000",
            "ligeiro.webhook.total-timeout=3s",
            "ligeiro.webhook.lease=8s",
            "ligeiro.webhook.retry.delays=0s,1h");

    private static final TestEnvironment ENVIRONMENT = DISPATCHER.environment();

    /** After 20 time-outs it gets one attempt at a time, so its lane would drain after two minutes. */
    @Test
    void aLaneThatDoesNotDrainIsHandedOverForOneThatWaits() {
        ENVIRONMENT
                .receiver()
                .behave("/hangs", WebhookReceiver.when(new CountDownLatch(1), WebhookReceiver.status(200)));
        WebhookEndpoint hanging = ENVIRONMENT.endpoints().register(ENVIRONMENT.tenant(), "/hangs");
        for (int i = 0; i < 60; i++) {
            ENVIRONMENT.insertDue(hanging);
        }
        ENVIRONMENT.lanes().markDue(hanging);
        await().atMost(SOON)
                .until(() -> ENVIRONMENT.receiver().received("/hangs").size() >= 20);

        WebhookEndpoint quick = ENVIRONMENT.endpoints().register(ENVIRONMENT.tenant(), "/quick");
        ENVIRONMENT.insertDue(quick);
        ENVIRONMENT.lanes().markDue(quick);

        await().atMost(SOON).until(() -> ENVIRONMENT.deliveries().count(quick, "delivered") == 1);
        assertThat(ENVIRONMENT.receiver().received("/hangs")).hasSizeLessThan(60);
        assertThat(ENVIRONMENT.deliveries().of(hanging))
                .flatExtracting(TestDeliveries::attempts)
                .extracting(attempt -> attempt.getString("outcome"))
                .contains("timed_out");
        int attempts = ENVIRONMENT.receiver().received("/hangs").size();
        await().atMost(SOON)
                .until(() -> ENVIRONMENT.receiver().received("/hangs").size() > attempts);
        ENVIRONMENT.endpoints().delete(hanging);
    }

    /** The dispatcher leaves it, and keeps the claim until the lease ends. */
    @Test
    void theLaneOfAnEndpointThatCannotBeReadDoesNotTakeThePlaceOfOthers() {
        WebhookEndpoint unreadable = ENVIRONMENT.endpoints().register(ENVIRONMENT.tenant(), "/unreadable");
        ENVIRONMENT.endpoints().set(unreadable, EndpointFields.URL, 7);
        ENVIRONMENT.insertDue(unreadable);
        ENVIRONMENT.lanes().markDue(unreadable);
        await().atMost(SOON).until(() -> ENVIRONMENT.lanes().of(unreadable).containsKey(LaneFields.CLAIM));

        WebhookEndpoint readable = ENVIRONMENT.endpoints().register(ENVIRONMENT.tenant(), "/readable");
        ENVIRONMENT.insertDue(readable);
        ENVIRONMENT.lanes().markDue(readable);
        await().atMost(SOON).until(() -> ENVIRONMENT.deliveries().count(readable, "delivered") == 1);
        assertThat(ENVIRONMENT.deliveries().status(unreadable)).isEqualTo("scheduled");
    }
}
