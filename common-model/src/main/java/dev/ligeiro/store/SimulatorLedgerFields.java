package dev.ligeiro.store;

/** The field names of an entry in the simulated rail's ledger: what became of one cashout or refund. Times are UTC. */
public final class SimulatorLedgerFields {

    /** The id of the cashout or refund. */
    public static final String ID = "_id";
    /** {@code cashout} or {@code refund}. */
    public static final String KIND = "kind";
    /** The cashout itself, or the cashin whose money is refunded. */
    public static final String TRANSACTION_ID = "transactionId";
    /** In cents, int64. */
    public static final String AMOUNT = "amount";
    /** {@code settled}, {@code sent_back} or {@code rejected}. Only a rejected one has moved no money. */
    public static final String STATE = "state";
    /** How often the id was submitted; the money has moved once. */
    public static final String SUBMISSIONS = "submissions";

    public static final String FIRST_AT = "firstAt";
    public static final String LAST_AT = "lastAt";

    private SimulatorLedgerFields() {}
}
