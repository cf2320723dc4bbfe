package dev.ligeiro.processor.due;

import dev.ligeiro.support.observe.KnownGauge;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/** The metrics of due work. Only the processor with the lease reports what waits. */
@Component
class DueMetrics {

    private static final double MILLIS_PER_SECOND = 1_000;

    private final Counter sent;
    private final KnownGauge behind;
    private final KnownGauge behindAge;
    private final KnownGauge stuck;
    private final KnownGauge unknownOldest;

    DueMetrics(MeterRegistry meters) {
        this.sent = Counter.builder("ligeiro.due.commands")
                .description("Commands sent because a transaction was due")
                .baseUnit("commands")
                .register(meters);
        this.behind = new KnownGauge(
                meters,
                "ligeiro.due.behind",
                "Transactions that are due and have no command yet, at most 10,000",
                "transactions");
        this.behindAge = new KnownGauge(
                meters,
                "ligeiro.due.behind.age",
                "Time since the oldest of them was due, 0 if there is none",
                "seconds");
        this.stuck = new KnownGauge(
                meters,
                "ligeiro.due.stuck",
                "Transactions with a rail call whose outcome has been unknown for too long, at most 10,000",
                "transactions");
        this.unknownOldest = new KnownGauge(
                meters,
                "ligeiro.rail.unknown.oldest",
                "Time for which the oldest unknown outcome of a rail call has been unknown, 0 if there is none",
                "seconds");
    }

    void sent(int commands) {
        sent.increment(commands);
    }

    void due(int count, Duration oldest) {
        behind.known(count);
        behindAge.known(seconds(oldest));
    }

    void stuck(int count) {
        stuck.known(count);
    }

    void unknownByRail(Map<String, Duration> oldest) {
        unknownOldest.known(oldest.entrySet().stream()
                .collect(Collectors.toMap(rail -> Tags.of("rail", rail.getKey()), rail -> seconds(rail.getValue()))));
    }

    void unknown() {
        behind.unknown();
        behindAge.unknown();
        stuck.unknown();
        unknownOldest.unknown();
    }

    private static double seconds(Duration age) {
        return age.toMillis() / MILLIS_PER_SECOND;
    }
}
