package dev.ligeiro.store;

import dev.ligeiro.transaction.Coded;

/** The field names of an erasure: operators remove the personal data of one person from the transactions of all merchants. */
public final class ErasureFields {

    public static final String ID = "_id";
    /**
     * The person's tax id, until the transactions with it are found: those have it as readable. Then absent, and when withdrawn. Unique.
     */
    public static final String OPEN = "open";

    /** The code of a {@link State}. */
    public static final String STATE = "state";
    /** The number of transactions that were found, int64; absent before. */
    public static final String FOUND = "found";

    public static final String ENDED_AT = "endedAt";

    public enum State implements Coded {
        /** A second operator must confirm it. */
        PROPOSED,
        CONFIRMED,
        WITHDRAWN,
        /** The transactions are found. Those that may not be erased yet are in {@link CollectionNames#REDACTIONS}. */
        FOUND,
        ENDED
    }

    private ErasureFields() {}
}
