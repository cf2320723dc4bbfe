package dev.ligeiro.processor.rail;

import dev.ligeiro.message.RailOutcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collection;
import java.util.function.Function;

/** The metrics of rail calls. */
final class RailMetrics {

    private final MeterRegistry meters;
    private final Counter missing;

    RailMetrics(MeterRegistry meters) {
        this.meters = meters;
        this.missing = Counter.builder("ligeiro.rail.missing")
                .description("Commands of transactions whose rail this processor does not have")
                .baseUnit("commands")
                .register(meters);
    }

    /** @param open the number of paying accounts of a rail whose circuit breaker is open */
    void breakers(Collection<String> rails, Function<String, Long> open) {
        rails.forEach(rail -> Gauge.builder("ligeiro.rail.breakers.open", () -> open.apply(rail))
                .description("Paying accounts whose calls this processor does not make, because the rail fails")
                .tag("rail", rail)
                .register(meters));
    }

    void missing() {
        missing.increment();
    }

    void called(String rail, RailRequest request, RailOutcome outcome) {
        meters.counter(
                        "ligeiro.rail.calls",
                        "rail",
                        rail,
                        "call",
                        request.call().code(),
                        "outcome",
                        outcome.code())
                .increment();
    }
}
