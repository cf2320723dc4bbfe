package dev.ligeiro.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import dev.ligeiro.testing.webhook.WebhookReceiver;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** One dispatcher and an endpoint with a backlog: how many webhooks it gets at once. */
class EndpointWindowIT {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int COUNT = 150;

    /** The answers to 20 at once take longer than later ones, which therefore count as quick on a busy machine too. */
    private static final Duration FIRST_ANSWERS = Duration.ofSeconds(4);

    @RegisterExtension
    static final StartedDispatcher DISPATCHER = new StartedDispatcher(
            "ligeiro.webhook.total-timeout=50s",
            "ligeiro.webhook.lease=180s",
            "ligeiro.webhook.batch-window=30s",
            // it must not find the backlog before all of it is there
            "ligeiro.webhook.lane.sweep-interval=1h",
            "ligeiro.webhook.lane.open-min=1s",
            "ligeiro.webhook.retry.delays=0s,1s,1s,1s,1s,1s,1s,1s,1s,1s");

    private static final TestEnvironment ENVIRONMENT = DISPATCHER.environment();

    private final Receiver receiver = new Receiver();
    private final String path = "/" + ENVIRONMENT.tenant().key();
    private final WebhookEndpoint endpoint = ENVIRONMENT.endpoints().register(ENVIRONMENT.tenant(), path);

    @Test
    void aQuickEndpointGetsMoreAtOnceUntilItFails() {
        ENVIRONMENT.receiver().behave(path, receiver);
        Flux.range(0, COUNT)
                .flatMap(
                        i -> Mono.fromRunnable(() -> ENVIRONMENT.insertDue(endpoint))
                                .subscribeOn(Schedulers.boundedElastic()),
                        16)
                .blockLast(SOON);
        ENVIRONMENT.lanes().markDue(endpoint);
        await().atMost(SOON).pollDelay(FIRST_ANSWERS).until(() -> receiver.running.get() == 20);
        receiver.answers.release(20);
        for (int atOnce = 21; atOnce <= 23; atOnce++) {
            int expected = atOnce;
            await().atMost(SOON).until(() -> receiver.running.get() == expected);
            receiver.answers.release(atOnce);
        }

        WebhookEndpoint other = ENVIRONMENT.endpoints().register(ENVIRONMENT.tenant(), path + "/other");
        ENVIRONMENT.insertDue(other);
        ENVIRONMENT.lanes().markDue(other);
        await().atMost(SOON).until(() -> ENVIRONMENT.deliveries().count(other, "delivered") == 1);
        await().atMost(SOON).until(() -> receiver.running.get() == 24);

        receiver.status = 503;
        receiver.answers.release(COUNT);
        await().atMost(SOON)
                .until(() -> ENVIRONMENT.lanes().of(endpoint).get("openUntil") != null && receiver.running.get() == 0);
        receiver.most.set(0);
        receiver.status = 204;
        receiver.answers.release(COUNT);
        await().atMost(SOON).until(() -> ENVIRONMENT.deliveries().count(endpoint, "delivered") == COUNT);
        assertThat(receiver.most.get()).isBetween(1, 23);
    }

    /** Answers as many requests as the test permits, in their order. */
    private static final class Receiver implements WebhookReceiver.Behaviour {

        private final Semaphore answers = new Semaphore(0, true);
        private final AtomicInteger running = new AtomicInteger();
        private final AtomicInteger most = new AtomicInteger();
        private volatile int status = 204;

        @Override
        public void answer(HttpExchange exchange, int nth) throws IOException {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            try {
                assertThat(answers.tryAcquire(SOON.toMillis(), TimeUnit.MILLISECONDS))
                        .isTrue();
            } catch (InterruptedException closed) {
                throw new IOException(closed);
            } finally {
                running.decrementAndGet();
            }
            WebhookReceiver.status(status).answer(exchange, nth);
        }
    }
}
