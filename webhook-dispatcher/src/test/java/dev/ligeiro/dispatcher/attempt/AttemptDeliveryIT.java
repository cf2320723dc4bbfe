package dev.ligeiro.dispatcher.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.dispatcher.Dispatches;
import dev.ligeiro.dispatcher.TestEnvironment;
import dev.ligeiro.dispatcher.http.WebhookClient;
import dev.ligeiro.dispatcher.http.WebhookProperties;
import dev.ligeiro.fixture.Endpoints;
import dev.ligeiro.support.observe.Traces;
import dev.ligeiro.testing.settings.Settings;
import dev.ligeiro.testing.time.TestClock;
import dev.ligeiro.testing.webhook.WebhookReceiver;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.Attempt;
import dev.ligeiro.webhook.AttemptOutcome;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** An attempt with the real client, against a real receiver. */
class AttemptDeliveryIT {

    private static final Duration WAIT = Duration.ofSeconds(60);

    private final WebhookProperties properties =
            Settings.of(WebhookProperties.class, "ligeiro.webhook.allowed-networks=127.0.0.1/32");
    private final TestEnvironment environment = new TestEnvironment();
    private final WebhookReceiver receiver = environment.receiver();
    private final TestClock clock = TestClock.frozen();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final AnnotationConfigApplicationContext clients = new AnnotationConfigApplicationContext();

    @AfterEach
    void close() {
        clients.close();
        environment.close();
    }

    /** A negative duration would be stored, and the metric would not count the attempt. */
    @Test
    void anAttemptDuringWhichTheClockIsSetBackHasItsTrueDuration() {
        receiver.behave("/hook", (exchange, nth) -> {
            clock.move(Duration.ofMinutes(-1));
            WebhookReceiver.status(204).answer(exchange, nth);
        });
        AttemptDelivery attempts = attempts();
        Instant before = clock.instant();
        long startNanos = System.nanoTime();
        Attempt attempt = attempts.attempt(dispatch(), Instant.MAX)
                .blockOptional(WAIT)
                .orElseThrow()
                .attempt();
        Duration longest = Duration.ofNanos(System.nanoTime() - startNanos);

        assertThat(attempt.outcome()).isEqualTo(AttemptOutcome.DELIVERED);
        assertThat(attempt.at()).isEqualTo(before);
        assertThat(attempt.duration()).isPositive().isLessThan(longest);
        assertThat(meters.get("ligeiro.webhook.attempts")
                        .tag("outcome", "delivered")
                        .timer()
                        .count())
                .isEqualTo(1);
    }

    private Dispatch dispatch() {
        return Dispatches.to(Endpoints.endpoint(new UUID(0, 1), new Tenant(14), receiver.url("/hook")));
    }

    private AttemptDelivery attempts() {
        clients.scan(WebhookClient.class.getPackageName());
        clients.registerBean(WebhookProperties.class, () -> properties);
        clients.refresh();
        return new AttemptDelivery(
                new PayloadStore(environment.database(), Settings.of(ViewProperties.class), properties),
                new SignedHeaders(Endpoints.KEYS),
                clients.getBean(WebhookClient.class),
                new AttemptJournal(meters, new Traces(null)),
                clock);
    }
}
