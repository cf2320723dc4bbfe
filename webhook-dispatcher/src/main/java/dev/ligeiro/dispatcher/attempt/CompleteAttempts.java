package dev.ligeiro.dispatcher.attempt;

import dev.ligeiro.webhook.AttemptOutcome;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DisabledReason;
import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.stereotype.Component;

/**
 * What follows an attempt, the first one or a retry: the schedule decides the delivery's next state, and an endpoint that answered 410
 * is disabled. The caller stores the delivery.
 */
@Component
public class CompleteAttempts {

    private final RetrySchedule schedule;
    private final DisableEndpoint disableEndpoint;
    private final DeliveryMetrics metrics;
    private final Clock clock;

    CompleteAttempts(
            RetryProperties properties, DisableEndpoint disableEndpoint, DeliveryMetrics metrics, Clock clock) {
        this.schedule = properties.schedule();
        this.disableEndpoint = disableEndpoint;
        this.metrics = metrics;
        this.clock = clock;
    }

    /** The delivery in its next state, with only this attempt. */
    public Delivery complete(Completed completed) {
        if (completed.outcome() == AttemptOutcome.GONE) {
            disableEndpoint.disable(completed.dispatch().endpoint(), DisabledReason.GONE);
        }
        Instant now = clock.instant();
        DeliveryState state = schedule.after(
                completed.dispatch().attemptsMade() + 1,
                completed.outcome(),
                completed.retryAfter(),
                now,
                ThreadLocalRandom.current().nextDouble(-1, 1));
        metrics.count(state.status());
        return completed.delivery(state, now);
    }
}
