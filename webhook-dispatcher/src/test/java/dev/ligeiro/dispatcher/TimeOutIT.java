package dev.ligeiro.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.testing.webhook.WebhookReceiver;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/**
 * A dispatcher with a short total time-out. It is not that of {@link OutcomeIT}: on a busy machine any attempt may take longer than the
 * second that a test of a time-out can wait.
 */
class TimeOutIT {

    @Test
    void aTimeOutIsRetried() {
        try (TestEnvironment environment = new TestEnvironment()) {
            environment.events().createTopic();
            CountDownLatch never = new CountDownLatch(1);
            environment
                    .receiver()
                    .behave(
                            "/hook",
                            WebhookReceiver.firstTimes(
                                    1,
                                    WebhookReceiver.when(never, WebhookReceiver.status(200)),
                                    WebhookReceiver.status(200)));
            Tenant tenant = environment.tenant();
            WebhookEndpoint endpoint = environment.endpoints().register(tenant, "/hook");
            environment.startDispatcher(
                    "ligeiro.webhook.total-timeout=1s",
                    "ligeiro.webhook.retry.delays=0s,100ms,100ms,100ms,100ms,100ms,100ms,100ms,100ms,100ms");
            environment.events().publish(environment.paid(tenant));

            await().atMost(Duration.ofSeconds(60))
                    .until(() -> environment.deliveries().status(endpoint).equals("delivered"));
            assertThat(environment.deliveries().outcomes(endpoint))
                    .hasSizeGreaterThan(1)
                    .startsWith("timed_out")
                    .endsWith("delivered");
        }
    }
}
