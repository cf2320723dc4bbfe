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
    /** What operators have done with it; absent while it is open. */
    public static final String RESOLVED = "resolved";

    /** In {@link #RESOLVED}: the id of the operators' decision. */
    public static final String RESOLUTION = "resolution";

    /** In {@link #RESOLVED}: the code of a {@link dev.ligeiro.transaction.ResolutionDecision}. */
    public static final String DECISION = "decision";

    /** In {@link #RESOLVED}: the key of the tenant in whose books the money is. */
    public static final String TENANT = "tenant";

    private UnmatchedPaymentFields() {}
}
