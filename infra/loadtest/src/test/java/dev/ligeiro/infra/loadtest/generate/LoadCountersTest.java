package dev.ligeiro.infra.loadtest.generate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.infra.loadtest.journal.Call;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class LoadCountersTest {

    private static final long MILLIS = 1_000_000;

    @Test
    void latencyCountsFromWhenACallWasDueNotFromWhenItWasMade() {
        Load load = new Load(Scenario.CREATE, new Pace.Open(0, 1_000), 0, 100 * MILLIS);

        load.make();
        load.answered(Call.PENDING_CASHIN, 10 * MILLIS, 35 * MILLIS);

        assertThat(answers(load).getMaxValue()).isBetween(25_000L, 25_100L);
    }

    @Test
    void whatWasDueOutsideTheWindowIsNotMeasured() {
        Load load = new Load(Scenario.CREATE, new Pace.Open(0, 1_000), 50 * MILLIS, 100 * MILLIS);

        load.make();
        load.answered(Call.PENDING_CASHIN, 49 * MILLIS, 60 * MILLIS);
        load.make();
        load.answered(Call.PENDING_CASHIN, 99 * MILLIS, 160 * MILLIS);

        assertThat(answers(load).getTotalCount()).isEqualTo(1);
        assertThat(load.finished()).isEqualTo(2);
    }

    @Test
    void aPaidCashinIsFinishedByItsWebhook() {
        Load load = new Load(Scenario.PAY, new Pace.Closed(1), 0, 100 * MILLIS);

        load.make();
        load.answered(Call.PAID_CASHIN, 0, 5 * MILLIS);
        assertThat(load.isDrained()).isFalse();
        assertThat(load.nextDueAt(6 * MILLIS)).isEqualTo(Long.MAX_VALUE);

        load.finishedByWebhook(0, 20 * MILLIS);
        assertThat(load.isDrained()).isTrue();
        assertThat(load.finished()).isEqualTo(1);
        assertThat(load.nextDueAt(21 * MILLIS)).isEqualTo(21 * MILLIS);
        assertThat(load.webhookMicros().getMaxValue()).isBetween(20_000L, 20_100L);
    }

    @Test
    void noCallIsDueOnceItIsOver() {
        Load load = new Load(Scenario.CREATE, new Pace.Closed(64), 0, 100 * MILLIS);

        assertThat(load.nextDueAt(99 * MILLIS)).isEqualTo(99 * MILLIS);
        assertThat(load.nextDueAt(100 * MILLIS)).isEqualTo(Long.MAX_VALUE);

        load.cancel();
        assertThat(load.nextDueAt(99 * MILLIS)).isEqualTo(Long.MAX_VALUE);
    }

    private static Histogram answers(Load load) {
        return load.responseMicros().values().iterator().next();
    }
}
