package dev.ligeiro.store;

/** The field names of a stored unmatched payment: money that a rail reported and no transaction can take. */
public final class UnmatchedPaymentFields {

    /** The rail's name, a slash and the end-to-end id. */
    public static final String ID = "_id";

    public static final String RAIL = "rail";
    public static final String END_TO_END_ID = "endToEndId";
    public static final String TRANSACTION_ID = "transactionId";
    public static final String AMOUNT = "amount";
    public static final String REASON = "reason";
    public static final String AT = "at";
    /** What the rail has moved back of it by itself: objects with the rail's id, {@link #AMOUNT}, {@link #AT} and {@link #AFTER_DECISION}. */
    public static final String RETURNED = "returned";

    /** In {@link #RETURNED}: the id of the movement as the rail names it. */
    public static final String RETURNED_ID = "id";

    /** In {@link #RETURNED}: whether operators had resolved the payment before. */
    public static final String AFTER_DECISION = "afterDecision";

    /** When the rail last reported that it has moved back more of it than is known; absent when it has been asked. */
    public static final String RETURN_REPORTED_AT = "returnReportedAt";

    /** What operators have done with it; absent while it is open. */
    public static final String RESOLVED = "resolved";

    /** In {@link #RESOLVED}: the id of the operators' decision. It has the {@link #AMOUNT} that was left then, too. */
    public static final String RESOLUTION = "resolution";

    /** In {@link #RESOLVED}: the code of a {@link dev.ligeiro.transaction.ResolutionDecision}. */
    public static final String DECISION = "decision";

    /** In {@link #RESOLVED}: the key of the tenant in whose books the money is. */
    public static final String TENANT = "tenant";

    private UnmatchedPaymentFields() {}
}
