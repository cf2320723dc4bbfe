package dev.ligeiro.store;

/** The field names of a stored operators' decision. Gateways write it until it is confirmed, then processors carry it out. */
public final class ResolutionFields {

    public static final String ID = "_id";
    /** What it is about, while it is open; absent when it has ended. Unique. */
    public static final String OPEN = "open";

    /** The code of a {@link dev.ligeiro.transaction.ResolutionState}. */
    public static final String STATE = "state";
    /** The code of a {@link dev.ligeiro.transaction.ResolutionDecision}. */
    public static final String DECISION = "decision";
    /** The transaction with the unknown outcome; of a decision about an unmatched payment, the one that it is assigned or credited to. */
    public static final String TRANSACTION_ID = "transactionId";
    /** The key of the tenant of {@link #TRANSACTION_ID}, or of the books of an unmatched payment. */
    public static final String TENANT = "tenant";

    public static final String REFUND = "refund";
    /** The id of the unmatched payment. */
    public static final String UNMATCHED_PAYMENT = "unmatchedPayment";
    /** The payment as the bank names it, of a cashout that was paid. */
    public static final String END_TO_END_ID = "endToEndId";

    public static final String PAID_AT = "paidAt";
    /** The name of the operator who has confirmed or withdrawn it; absent before. */
    public static final String DECIDED_BY = "decidedBy";

    public static final String ENDED_AT = "endedAt";

    private ResolutionFields() {}
}
