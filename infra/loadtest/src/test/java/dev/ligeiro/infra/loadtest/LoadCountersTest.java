package dev.ligeiro.infra.loadtest;

import static org.assertj.core.api.Assertions.assertThat;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class LoadCountersTest {

    private static final long MILLIS = 1_000_000;

    @Test
    void latencyCountsFromWhenACallWasDueNotFromWhenItWasMade() {
        Load load = Load.open(Scenario.CREATE, 1_000, 0, 0, 100 * MILLIS);

        load.make();
        load.answered(Call.PENDING_CASHIN, 10 * MILLIS, 35 * MILLIS);

        assertThat(answers(load).getMaxValue()).isBetween(25_000L, 25_100L);
    }

    @Test
    void whatWasDueOutsideTheWindowIsNotMeasured() {
        Load load = Load.open(Scenario.CREATE, 1_000, 0, 50 * MILLIS, 100 * MILLIS);

        load.make();
        load.answered(Call.PENDING_CASHIN, 49 * MILLIS, 60 * MILLIS);
        load.make();
        load.answered(Call.PENDING_CASHIN, 99 * MILLIS, 160 * MILLIS);

        assertThat(answers(load).getTotalCount()).isEqualTo(1);
        assertThat(load.finished()).isEqualTo(2);
    }

    @Test
    void aPaidCashinIsFinishedByItsWebhook() {
        Load load = Load.closed(Scenario.PAY, 1, 0, 100 * MILLIS);

        load.make();
        load.answered(Call.PAID_CASHIN, 0, 5 * MILLIS);
        assertThat(load.isDrained()).isFalse();
        assertThat(load.nextDueAt(6 * MILLIS)).isEqualTo(Long.MAX_VALUE);

        load.finishedByWebhook(0, 20 * MILLIS);
        assertThat(load.isDrained()).isTrue();
        assertThat(load.finished()).isEqualTo(1);
        assertThat(load.nextDueAt(21 * MILLIS)).isEqualTo(21 * MILLIS);
        assertThat(load.webhookMicros.getMaxValue()).isBetween(20_000L, 20_100L);
    }

    @Test
    void noCallIsDueOnceItIsOver() {
        Load load = Load.closed(Scenario.CREATE, 64, 0, 100 * MILLIS);

        assertThat(load.nextDueAt(99 * MILLIS)).isEqualTo(99 * MILLIS);
        assertThat(load.nextDueAt(100 * MILLIS)).isEqualTo(Long.MAX_VALUE);

        load.cancel();
        assertThat(load.nextDueAt(99 * MILLIS)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void anOpenLoopCallsByTheClockWhateverHasFinished() {
        Load load = Load.open(Scenario.CREATE, 4_000, 7 * MILLIS, 0, Long.MAX_VALUE);

        assertThat(load.nextDueAt(0)).isEqualTo(7 * MILLIS);
        load.make();
        assertThat(load.nextDueAt(0)).isEqualTo(7 * MILLIS + 250_000);
        load.make();
        assertThat(load.nextDueAt(0)).isEqualTo(7 * MILLIS + 500_000);
    }

    @Test
    void aClosedLoopCallsWhenAnotherCallHasFinished() {
        Load load = Load.closed(Scenario.CREATE, 2, 0, 100 * MILLIS);
        load.make();
        assertThat(load.nextDueAt(MILLIS)).isEqualTo(MILLIS);

        load.make();
        assertThat(load.nextDueAt(MILLIS)).isEqualTo(Long.MAX_VALUE);

        load.failed();
        assertThat(load.nextDueAt(MILLIS)).isEqualTo(MILLIS);
    }

    private static Histogram answers(Load load) {
        return load.responseMicros.values().iterator().next();
    }
}
