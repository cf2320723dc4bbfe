package dev.ligeiro.infra.loadtest.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PaceTest {

    private static final long START = 1_000_000_000L;

    @Test
    void anOpenLoopCallsByTheClockWhateverHasEnded() {
        Pace pace = new Pace.Open(START, 4_000);

        assertThat(pace.dueAt(0, 0, START)).isEqualTo(START);
        assertThat(pace.dueAt(1, 1, START)).isEqualTo(START + 250_000);
        assertThat(pace.dueAt(4_000, 4_000, START)).isEqualTo(START + 1_000_000_000);
    }

    @Test
    void anOpenLoopDoesNotDriftOverHours() {
        Pace pace = new Pace.Open(START, 3_626);

        assertThat(pace.dueAt(3_626L * 7_200, 0, START) - START).isBetween(7_199_999_999_000L, 7_200_000_001_000L);
    }

    @Test
    void aClosedLoopCallsWhenAnotherCallHasEnded() {
        Pace pace = new Pace.Closed(64);

        assertThat(pace.dueAt(1_000, 63, START)).isEqualTo(START);
        assertThat(pace.dueAt(1_000, 64, START)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aRateIsPositive() {
        assertThatThrownBy(() -> new Pace.Open(START, 0)).hasMessageContaining("perSecond: 0.0 (expected: > 0)");
    }
}
