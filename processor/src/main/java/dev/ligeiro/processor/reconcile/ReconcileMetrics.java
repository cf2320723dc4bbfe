package dev.ligeiro.processor.reconcile;

import dev.ligeiro.store.BreakKind;
import dev.ligeiro.support.observe.KnownGauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;

/** The metrics of the reconciliation. Only the processor with the lease has them. */
@Component
class ReconcileMetrics {

    private final KnownGauge open;
    private final KnownGauge oldest;
    private final KnownGauge age;

    ReconcileMetrics(MeterRegistry meters) {
        this.open = new KnownGauge(
                meters,
                "ligeiro.breaks.open",
                "Open breaks: movements in which the books and the rail's list differ",
                null);
        this.oldest = new KnownGauge(
                meters,
                "ligeiro.breaks.open.oldest",
                "Time since the oldest open break was found, 0 if there is none",
                "seconds");
        this.age = new KnownGauge(
                meters,
                "ligeiro.reconciled.age",
                "Time since the end of the last hour whose list was read for the second time",
                "seconds");
    }

    /** @param reconciledUntil by the names of the rails */
    void measured(Map<String, Instant> reconciledUntil, Collection<BreakStore.Open> breaks, Instant now) {
        Map<Tags, Double> counts = new HashMap<>();
        Map<Tags, Double> ages = new HashMap<>();
        Map<Tags, Double> behind = new HashMap<>();
        reconciledUntil.forEach((rail, until) -> {
            behind.put(Tags.of("rail", rail), seconds(until, now));
            ages.put(Tags.of("rail", rail), 0d);
            List.of(BreakKind.values()).forEach(kind -> counts.put(Tags.of("rail", rail, "kind", kind.code()), 0d));
        });
        for (BreakStore.Open some : breaks) {
            counts.put(Tags.of("rail", some.rail(), "kind", some.kind()), (double) some.count());
            ages.merge(Tags.of("rail", some.rail()), seconds(some.oldest(), now), Math::max);
        }
        open.known(counts);
        oldest.known(ages);
        age.known(behind);
    }

    /** Another processor measures, or MongoDB does not answer. */
    void unknown() {
        List.of(open, oldest, age).forEach(KnownGauge::unknown);
    }

    private static double seconds(Instant since, Instant now) {
        return Math.max(0, Duration.between(since, now).toSeconds());
    }
}
