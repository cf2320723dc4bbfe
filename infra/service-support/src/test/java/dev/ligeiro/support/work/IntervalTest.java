package dev.ligeiro.support.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class IntervalTest {

    private static final Instant NOW = Instant.parse("2026-11-25T10:00:00Z");

    private final Interval interval = new Interval(Duration.ofSeconds(30));

    @Test
    void itBeginsOnceInItsLength() {
        assertThat(interval.begin(NOW)).isTrue();
        assertThat(interval.begin(NOW)).isFalse();
        assertThat(interval.begin(NOW.plusMillis(29_999))).isFalse();
        assertThat(interval.begin(NOW.plusMillis(30_000))).isTrue();
        assertThat(interval.begin(NOW.plusMillis(59_999))).isFalse();
    }

    @Test
    void itBeginsAtOnceWhenTheClockIsSetBackByMoreThanItsLength() {
        interval.begin(NOW);

        assertThat(interval.begin(NOW.minusSeconds(3_600))).isTrue();
        assertThat(interval.begin(NOW.minusSeconds(3_599))).isFalse();
        assertThat(interval.begin(NOW.minusSeconds(3_570))).isTrue();
    }

    @Test
    void aSmallerStepBackDelaysItByThatStep() {
        interval.begin(NOW);

        assertThat(interval.begin(NOW.minusSeconds(20))).isFalse();
        assertThat(interval.begin(NOW.plusSeconds(29))).isFalse();
        assertThat(interval.begin(NOW.plusSeconds(30))).isTrue();
    }

    @Test
    void afterAResetItBeginsAtOnce() {
        interval.begin(NOW);
        interval.reset();

        assertThat(interval.begin(NOW)).isTrue();
    }
}
