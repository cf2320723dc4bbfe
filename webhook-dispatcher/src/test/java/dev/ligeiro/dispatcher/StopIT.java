package dev.ligeiro.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.testing.webhook.WebhookReceiver;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** A dispatcher that is told to stop. */
class StopIT {

    private static final Duration SOON = Duration.ofSeconds(30);

    private final Stage stage = new Stage();
    private final Tenant tenant = stage.tenant();
    private final WebhookEndpoint endpoint = stage.register(tenant, "/slow");
    private final CountDownLatch release = new CountDownLatch(1);

    @AfterEach
    void close() {
        release.countDown();
        stage.close();
    }

    @Test
    void anAttemptUnderWayIsWaitedForAndItsResultWritten() throws InterruptedException {
        ConfigurableApplicationContext dispatcher = dispatcherWithAnAttemptUnderWay();
        Thread stopping = stop(dispatcher);
        release.countDown();
        stopping.join(SOON.toMillis());
        assertThat(stage.status(endpoint)).isEqualTo("delivered");
        assertThat(stage.receiver().received("/slow")).hasSize(1);
    }

    @Test
    void anAttemptThatDoesNotEndInTimeIsLeftToItsLease() throws InterruptedException {
        ConfigurableApplicationContext dispatcher =
                dispatcherWithAnAttemptUnderWay("spring.lifecycle.timeout-per-shutdown-phase=1s");
        stop(dispatcher).join(SOON.toMillis());
        assertThat(stage.delivery(endpoint).orElseThrow()).containsKeys("claim", "body", "nextAttemptAt");
        assertThat(stage.status(endpoint)).isEqualTo("scheduled");
    }

    private ConfigurableApplicationContext dispatcherWithAnAttemptUnderWay(String... settings) {
        stage.createTopic();
        stage.receiver().behave("/slow", WebhookReceiver.when(release, WebhookReceiver.status(200)));
        ConfigurableApplicationContext dispatcher = stage.startDispatcher(settings);
        stage.publish(Stage.paid(tenant));
        await().atMost(SOON).until(() -> stage.status(endpoint).equals("scheduled"));
        return dispatcher;
    }

    private static Thread stop(ConfigurableApplicationContext dispatcher) {
        Thread stopping = new Thread(dispatcher::close, "stopping");
        stopping.start();
        await().atMost(SOON).until(dispatcher::isClosed);
        return stopping;
    }
}
