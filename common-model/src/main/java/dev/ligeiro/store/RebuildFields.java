package dev.ligeiro.store;

/** The field names of the latest rebuild of the books, one document among the leases. A gateway asks for it, a processor does it. */
public final class RebuildFields {

    public static final String ID = "_id";
    /** The value of {@link #ID}. */
    public static final String NAME = "books-rebuild";
    /** A random id. */
    public static final String RUN = "run";

    public static final String REQUESTED_AT = "requestedAt";
    /** The last transaction that is done; absent before the first one. */
    public static final String AFTER = "after";
    /** The id of the last unmatched payment that is done; absent before the first one. They follow the transactions. */
    public static final String AFTER_PAYMENT = "afterPayment";
    /** The number of batches that have begun, int64; one that was begun again counts twice. */
    public static final String BATCHES = "batches";
    /** The number of postings that were missing, int64. */
    public static final String ADDED = "added";
    /** Absent while it runs. */
    public static final String ENDED_AT = "endedAt";

    private RebuildFields() {}
}
