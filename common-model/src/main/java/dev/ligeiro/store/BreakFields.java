package dev.ligeiro.store;

/**
 * The field names of a break: a movement of money in which the books and a rail's list differ. There is one for each movement, whatever is
 * found later. Amounts are int64 cents, negative when they leave the account. It has no personal data.
 */
public final class BreakFields {

    /** A hash of rail and {@link #RAIL_ID}. */
    public static final String ID = "_id";

    public static final String RAIL = "rail";
    /** The day of the movement at the rail, otherwise in the books, as {@code 2026-11-27}. */
    public static final String DAY = "day";
    /** The code of a {@link BreakKind}. */
    public static final String KIND = "kind";
    /** The rail's id of the movement: {@link PostingFields#RAIL_ID}. */
    public static final String RAIL_ID = "railId";
    /** What the books have; absent if they have nothing. */
    public static final String OURS = "ours";
    /** What the rail has; absent if it has nothing. */
    public static final String THEIRS = "theirs";
    /** The transaction of the posting, or the one that the rail names; absent if unknown. */
    public static final String TRANSACTION_ID = "transactionId";
    /** Absent without a posting. */
    public static final String TENANT = "tenant";

    /** When it was found. */
    public static final String SINCE = "since";
    /** True; absent when it is closed. */
    public static final String OPEN = "open";

    public static final String CLOSED_AT = "closedAt";
    /** The operator; absent if a match was found later. */
    public static final String CLOSED_BY = "closedBy";
    /** The operator's, or {@value #MATCHED}. */
    public static final String REASON = "reason";

    public static final String MATCHED = "matched";

    /** The index of open breaks by time. */
    public static final String OPEN_INDEX = "open";

    private BreakFields() {}
}
