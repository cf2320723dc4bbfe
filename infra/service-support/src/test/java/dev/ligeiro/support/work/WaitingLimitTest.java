package dev.ligeiro.support.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the calls finish within 400 ms, at least 500 and at most 2,000. A window has 500 ms. */
class WaitingLimitTest {

    private final WaitingLimit limit = WaitingLimit.ofTime(Duration.ofMillis(400), 500, 2_000);

    @ParameterizedTest
    @CsvSource({
        "    0,   500",
        "  500,   500",
        " 1000,   800",
        " 2000,  1600",
        "10000,  2000",
    })
    void duringABacklogTheLimitFollowsTheRate(int finishedInWindow, int expected) {
        backlogFrom(0);

        limit.finished(finishedInWindow);

        assertThat(limit.at(millis(1_000))).isEqualTo(expected);
    }

    @Test
    void withoutABacklogTheMaximumHolds() {
        backlogFrom(0);
        limit.finished(100);
        limit.emptied();

        assertThat(limit.at(millis(1_000))).isEqualTo(2_000);
    }

    @Test
    void theMaximumHoldsAgainWhenTheBacklogHasGone() {
        backlogFrom(0);
        assertThat(limit.at(millis(1_000))).isEqualTo(500);
        limit.emptied();

        assertThat(limit.at(millis(1_499))).isEqualTo(500);
        assertThat(limit.at(millis(1_500))).isEqualTo(2_000);
    }

    /** The rate is that of the time since the last measurement, however long that is. */
    @Test
    void aLateMeasurementCountsTheWholeTime() {
        backlogFrom(0);
        limit.finished(4_000);

        assertThat(limit.at(millis(2_500))).isEqualTo(800);
    }

    @Test
    void aFixedLimitStays() {
        WaitingLimit fixed = WaitingLimit.fixed(7);
        fixed.at(0);
        fixed.finished(1_000_000);

        assertThat(fixed.at(millis(500))).isEqualTo(7);
        assertThat(fixed.at(millis(1_000))).isEqualTo(7);
    }

    /** The first window ends without a finished request; from its end on the queue is never empty. */
    private void backlogFrom(long startMillis) {
        limit.at(millis(startMillis));
        limit.at(millis(startMillis + 500));
    }

    private static long millis(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
