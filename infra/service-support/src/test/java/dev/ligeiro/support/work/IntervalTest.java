package dev.ligeiro.support.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IntervalTest {

    private static final Instant NOW = Instant.parse("2026-11-25T10:00:00Z");

    /** Seconds of a clock that may be set back, and the calls that begin an interval of 30 s, marked by {@code !}. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "0! 0 29.999 30! 59.999 60!",
                "0! -3600! -3599 -3570!", // the clock was set back by more than the length
                "0! -20 29 30!" // by less
            })
    void itBeginsOnceInItsLength(String calls) {
        Interval interval = new Interval(Duration.ofSeconds(30));
        for (String call : calls.split(" ")) {
            double seconds = Double.parseDouble(call.replace("!", ""));
            assertThat(interval.begin(NOW.plusMillis(Math.round(seconds * 1_000))))
                    .as(call)
                    .isEqualTo(call.endsWith("!"));
        }
    }

    @Test
    void afterAResetItBeginsAtOnce() {
        Interval interval = new Interval(Duration.ofSeconds(30));
        interval.begin(NOW);
        interval.reset();

        assertThat(interval.begin(NOW)).isTrue();
    }
}
