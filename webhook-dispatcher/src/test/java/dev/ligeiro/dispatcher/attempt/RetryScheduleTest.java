package dev.ligeiro.dispatcher.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.dispatcher.Dispatches;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.testing.settings.Settings;
import dev.ligeiro.webhook.Attempt;
import dev.ligeiro.webhook.AttemptOutcome;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DeliveryStatus;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryScheduleTest {

    private static final RetrySchedule SCHEDULE = Settings.defaults(RetrySchedule.class);

    @ParameterizedTest
    @CsvSource({
        // attempts made, jitterFactor, Retry-After, delay until the next attempt; none after the tenth
        "1, 0,, PT5S",
        "1, -1,, PT4S",
        "1, 1,, PT6S",
        "2, 0,, PT5M",
        "3, 0,, PT30M",
        "4, 0,, PT2H",
        "5, 0,, PT5H",
        "6, 0,, PT10H",
        "7, 0,, PT14H",
        "8, 0,, PT20H",
        "9, 0,, PT24H",
        "9, 0.5,, PT26H24M",
        "1, 0, PT1M, PT1M",
        "1, 0, PT0S, PT5S",
        "1, 0, PT24H, PT24H",
        "4, 0, PT1H, PT2H",
        "10, 0,,",
        "11, 0, PT1M,",
    })
    void theNextAttemptIsDueAfter(
            int attemptsMade, double jitterFactor, @Nullable Duration retryAfter, @Nullable Duration delay) {
        assertThat(SCHEDULE.next(attemptsMade, retryAfter, jitterFactor)).isEqualTo(delay);
    }

    /** A result that waits to be written must not hold the payload: while MongoDB is slow, thousands may wait. */
    @ParameterizedTest
    @CsvSource({"DELIVERED, 0, DELIVERED", "REJECTED, 0, SCHEDULED", "GONE, 8, SCHEDULED", "TIMED_OUT, 9, EXHAUSTED"})
    void anOutcomeLeadsToADeliveryWithoutPayload(AttemptOutcome outcome, int attemptsMade, DeliveryStatus status) {
        Dispatch first = Dispatches.to(Dispatches.endpoint(1, Transactions.TENANT));
        Dispatch dispatch = new Dispatch(
                first.endpoint(),
                first.eventId(),
                first.eventType(),
                first.eventAt(),
                first.body(),
                attemptsMade,
                false,
                Dispatches.AT,
                first.origin());
        Attempt attempt = new Attempt(Dispatches.AT, outcome, null, Duration.ofMillis(3));
        Completed completed = new Completed(dispatch, attempt, null);

        Delivery next = CompleteAttempts.next(completed, SCHEDULE, 0, Dispatches.AT);

        assertThat(next.status()).isEqualTo(status);
        assertThat(next.attempts()).containsExactly(attempt);
        assertThat(next.body()).isNull();
        assertThat(completed.stored(Dispatches.AT).dispatch().body()).isEmpty();
    }
}
