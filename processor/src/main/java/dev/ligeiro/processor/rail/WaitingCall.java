package dev.ligeiro.processor.rail;

import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * A call to a rail that is not made yet.
 *
 * @param startBy the call is not made after this time
 * @param notMade the outcome when the call is not made
 * @param outcome completed by the answer, or by {@code notMade}
 */
record WaitingCall(
        RailCallKind kind,
        Supplier<CompletableFuture<RailOutcome>> call,
        Instant startBy,
        RailOutcome notMade,
        CompletableFuture<RailOutcome> outcome) {

    boolean isLate(Instant now) {
        return now.isAfter(startBy);
    }

    void endNotMade() {
        outcome.complete(notMade);
    }
}
