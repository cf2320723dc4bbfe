package dev.ligeiro.processor.rail;

import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Transaction;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Selects the rail by mode and counts the calls. If a rail breaks its contract by failing, the outcome is
 * {@link RailOutcome.Unknown}: never a denial, never a second submission.
 */
@Component
public class Rails {

    private static final Logger LOG = LoggerFactory.getLogger(Rails.class);

    private final Map<Mode, PaymentRail> byMode = new EnumMap<>(Mode.class);
    private final MeterRegistry meters;

    public Rails(List<PaymentRail> rails, MeterRegistry meters) {
        this.meters = meters;
        for (PaymentRail rail : rails) {
            if (byMode.put(rail.mode(), rail) != null) {
                throw new IllegalArgumentException("rails: two for mode " + rail.mode() + " (expected: at most one)");
            }
        }
    }

    /** Whether {@code mode} has a rail. */
    public boolean supports(Mode mode) {
        return byMode.containsKey(mode);
    }

    /** Calls the rail of the transaction's mode. Gives an outcome in every case, never an error. */
    public Mono<RailOutcome> ask(RailCall call, Transaction transaction) {
        return Mono.defer(() -> callRail(call, transaction))
                .onErrorResume(fault -> {
                    LOG.atWarn()
                            .addKeyValue("event.action", "rail_failed")
                            .addKeyValue("call", call.code())
                            .addKeyValue("transaction_id", transaction.id())
                            .addKeyValue("cause", fault.getClass().getSimpleName())
                            .log("A rail call failed; its outcome is unknown");
                    return Mono.empty();
                })
                .defaultIfEmpty(new RailOutcome.Unknown())
                .doOnNext(outcome -> count(call, outcome));
    }

    private Mono<RailOutcome> callRail(RailCall call, Transaction transaction) {
        PaymentRail rail = byMode.get(transaction.tenant().mode());
        if (rail == null) {
            throw new IllegalStateException(
                    "rail: none for mode " + transaction.tenant().mode());
        }
        return call == RailCall.SUBMIT ? rail.submit(transaction) : rail.inquire(transaction);
    }

    private void count(RailCall call, RailOutcome outcome) {
        meters.counter("ligeiro.rail.calls", "call", call.code(), "outcome", outcome.code())
                .increment();
    }
}
