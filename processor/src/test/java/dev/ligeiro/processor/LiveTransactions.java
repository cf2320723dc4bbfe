package dev.ligeiro.processor;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;

/** Converts fixtures, which have a test tenant, to live transactions of the rail {@code bank}. */
public final class LiveTransactions {

    public static final Tenant TENANT = Tenant.of(7, Mode.LIVE);

    private LiveTransactions() {}

    public static Transaction of(Transaction transaction) {
        return Transactions.like(transaction).tenant(TENANT).rail("bank").build();
    }
}
