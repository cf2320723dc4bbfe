package dev.ligeiro.dispatcher.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.testing.settings.Settings;
import dev.ligeiro.webhook.AttemptOutcome;
import dev.ligeiro.webhook.DeliveryStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class RetryScheduleTest {

    private static final Instant NOW = Instant.parse("2026-03-10T14:30:00Z");
    private static final RetryProperties DEFAULTS = Settings.defaults(RetryProperties.class);
    private static final RetrySchedule SCHEDULE = DEFAULTS.schedule();

    @ParameterizedTest
    @CsvSource({
        // failures before, jitterFactor, Retry-After, delay until the next attempt
        "0, 0,, PT5S",
        "0, -1,, PT4S",
        "0, 1,, PT6S",
        "1, 0,, PT5M",
        "2, 0,, PT30M",
        "3, 0,, PT2H",
        "4, 0,, PT5H",
        "5, 0,, PT10H",
        "6, 0,, PT14H",
        "7, 0,, PT20H",
        "8, 0,, PT24H",
        "8, 0.5,, PT26H24M",
        "0, 0, PT1M, PT1M",
        "0, 0, PT0S, PT5S",
        "0, 0, PT24H, PT24H",
        "3, 0, PT1H, PT2H"
    })
    void theNextAttemptIsDueAfter(
            int failuresBefore, double jitterFactor, @Nullable Duration retryAfter, Duration delay) {
        DeliveryState state =
                SCHEDULE.after(failuresBefore + 1, AttemptOutcome.REJECTED, retryAfter, NOW, jitterFactor);
        assertThat(state).isEqualTo(DeliveryState.scheduled(NOW.plus(delay)));
    }

    @ParameterizedTest
    @EnumSource(AttemptOutcome.class)
    void anOutcomeLeadsTo(AttemptOutcome outcome) {
        DeliveryStatus expected =
                switch (outcome) {
                    case DELIVERED -> DeliveryStatus.DELIVERED;
                    case REDIRECTED,
                            GONE,
                            THROTTLED,
                            REJECTED,
                            TIMED_OUT,
                            UNREACHABLE,
                            TLS_FAILED,
                            DISCONNECTED,
                            REFUSED_ADDRESS,
                            UNSENDABLE -> DeliveryStatus.SCHEDULED;
                };
        assertThat(SCHEDULE.after(1, outcome, null, NOW, 0).status()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"8, SCHEDULED", "9, EXHAUSTED", "10, EXHAUSTED"})
    void theTenthFailureIsTheLast(int failuresBefore, DeliveryStatus status) {
        assertThat(SCHEDULE.after(failuresBefore + 1, AttemptOutcome.TIMED_OUT, null, NOW, 0)
                        .status())
                .isEqualTo(status);
    }

    @Property
    void aDelayIsNeverFurtherFromItsStepThanTheJitter(
            @ForAll @IntRange(max = 8) int failuresBefore,
            @ForAll @DoubleRange(min = -1, max = 1) double jitterFactor) {
        DeliveryState state = SCHEDULE.after(failuresBefore + 1, AttemptOutcome.REJECTED, null, NOW, jitterFactor);
        double step = DEFAULTS.delays().get(failuresBefore + 1).toMillis();
        Duration delay = Duration.between(NOW, Objects.requireNonNull(state.nextAttemptAt()));
        assertThat((double) delay.toMillis()).isBetween(step * 0.8 - 1, step * 1.2 + 1);
    }

    @ParameterizedTest
    @CsvSource({"DELIVERED, DELIVERED", "REJECTED, EXHAUSTED"})
    void aScheduleOfOneAttemptHasNoSecond(AttemptOutcome outcome, DeliveryStatus status) {
        RetrySchedule once = new RetrySchedule(List.of(Duration.ZERO), 0);
        assertThat(once.after(1, outcome, null, NOW, 0).status()).isEqualTo(status);
    }
}
