package dev.ligeiro.processor;

import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;

/** Fixtures are of a test tenant; this makes them live. */
public final class LiveMode {

    private LiveMode() {}

    public static Transaction of(Transaction transaction) {
        return new Transaction(
                transaction.id(),
                Tenant.of(7, Mode.LIVE),
                transaction.operation(),
                transaction.status(),
                transaction.version(),
                transaction.accepted(),
                transaction.amount(),
                transaction.commission(),
                transaction.payer(),
                transaction.description(),
                transaction.platform(),
                transaction.reference(),
                transaction.extra(),
                transaction.endToEndId(),
                transaction.pixKey(),
                transaction.brCode(),
                transaction.events());
    }
}
