package dev.ligeiro.processor.guard;

import dev.ligeiro.transaction.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * Cashouts that an operator has stopped.
 *
 * @param isFrozen whether the merchant is frozen; otherwise only cashouts are stopped
 * @param rail null for all
 * @param merchantNumber null for all
 */
record Stopped(boolean isFrozen, @Nullable String rail, @Nullable Long merchantNumber) {

    boolean covers(Transaction cashout) {
        return (rail == null || rail.equals(cashout.terms().rail()))
                && (merchantNumber == null || merchantNumber == cashout.tenant().merchantNumber());
    }
}
