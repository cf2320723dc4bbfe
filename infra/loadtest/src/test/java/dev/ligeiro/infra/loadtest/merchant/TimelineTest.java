package dev.ligeiro.infra.loadtest.merchant;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TimelineTest {

    private static final long START = TimeUnit.SECONDS.toNanos(100);

    private final Timeline timeline = new Timeline(START);

    @Test
    void keepsLatenciesByTheSecondInWhichTheCallsWereDue() {
        record(0.5, 10);
        record(1.2, 20);
        record(4.9, 30);

        assertThat(timeline.micros(0, 1).getTotalCount()).isEqualTo(1);
        assertThat(timeline.micros(0, 1).getMaxValue()).isBetween(10_000L, 10_100L);
        assertThat(timeline.micros(1, 5).getTotalCount()).isEqualTo(2);
        assertThat(timeline.micros(5, 9).getTotalCount()).isZero();
    }

    @Test
    void leavesOutTheWarmUp() {
        record(-0.5, 10);

        assertThat(timeline.micros(-10, 10).getTotalCount()).isZero();
    }

    @Test
    void aLoadRecordsResponsesAndWebhooksApart() {
        Timeline webhooks = new Timeline(START);
        Load load = Load.open(Scenario.PAY, 1, START, START, Long.MAX_VALUE).withTimelines(timeline, webhooks);

        load.answered(Call.PAID_CASHIN, START, START + TimeUnit.MILLISECONDS.toNanos(5));
        load.finishedByWebhook(START, START + TimeUnit.MILLISECONDS.toNanos(9));
        load.finishedUnmeasured();

        assertThat(timeline.micros(0, 1).getTotalCount()).isEqualTo(1);
        assertThat(webhooks.micros(0, 1).getTotalCount()).isEqualTo(1);
        assertThat(load.finished()).isEqualTo(2);
    }

    private void record(double second, int millis) {
        long dueAt = START + (long) (second * TimeUnit.SECONDS.toNanos(1));
        timeline.record(dueAt, dueAt + TimeUnit.MILLISECONDS.toNanos(millis));
    }
}
