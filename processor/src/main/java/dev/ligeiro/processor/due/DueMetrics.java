package dev.ligeiro.processor.due;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.springframework.stereotype.Component;

/** The metrics of due work. A processor without the lease reports that nothing waits. */
@Component
class DueMetrics {

    private final Clock clock;
    private final Counter sent;
    private volatile DueStore.Waiting due = DueStore.Waiting.NONE;
    private volatile DueStore.Waiting stuck = DueStore.Waiting.NONE;

    DueMetrics(MeterRegistry meters, Clock clock) {
        this.clock = clock;
        this.sent = Counter.builder("ligeiro.due.commands")
                .description("Commands sent because a transaction was due")
                .baseUnit("commands")
                .register(meters);
        Gauge.builder("ligeiro.due.behind", () -> due.count())
                .description("Transactions that are due and not processed, at most 10,000")
                .baseUnit("transactions")
                .register(meters);
        TimeGauge.builder("ligeiro.due.behind.age", () -> ageMillis(due), TimeUnit.MILLISECONDS)
                .description("Time since the oldest of them was due; 0 when there is none")
                .register(meters);
        Gauge.builder("ligeiro.due.stuck", () -> stuck.count())
                .description(
                        "Transactions with a rail call whose outcome has been unknown for too long, at most 10,000")
                .baseUnit("transactions")
                .register(meters);
        TimeGauge.builder("ligeiro.due.stuck.age", () -> ageMillis(stuck), TimeUnit.MILLISECONDS)
                .description("Time for which the oldest of them has been unknown; 0 when there is none")
                .register(meters);
    }

    void sent(int commands) {
        sent.increment(commands);
    }

    void waiting(DueStore.Waiting nowDue, DueStore.Waiting nowStuck) {
        due = nowDue;
        stuck = nowStuck;
    }

    private long ageMillis(DueStore.Waiting waiting) {
        return waiting.count() == 0
                ? 0
                : Duration.between(waiting.oldest(), clock.instant()).toMillis();
    }
}
