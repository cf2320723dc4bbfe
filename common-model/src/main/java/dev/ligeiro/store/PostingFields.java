package dev.ligeiro.store;

/**
 * The field names of a posting: what one event moves between the accounts of a tenant. Money is int64 cents; a field of an account
 * without a movement is absent. What is added to the rail equals the sum of what is added to the other accounts.
 */
public final class PostingFields {

    /** The id of the event; of a second posting of the event, what it changes in the blocked amount, with {@link #BLOCKED_SUFFIX} behind. */
    public static final String ID = "_id";

    public static final String BLOCKED_SUFFIX = "_blocked";

    public static final String TENANT = "tenant";
    /** The time of the event. */
    public static final String AT = "at";

    public static final String TRANSACTION_ID = "transactionId";
    /** The kind of the movement: the {@code type} of a statement's entry. */
    public static final String TYPE = "type";
    /** The name of the rail, which has one account. */
    public static final String RAIL_NAME = "railName";
    /** The rail's id of the movement; absent if no list of the rail has it. */
    public static final String RAIL_ID = "railId";
    /**
     * True until the posting is reconciled: found in the rail's list, or part of a break. Only postings of live mode with a {@link
     * #RAIL_ID}.
     */
    public static final String UNRECONCILED = "unreconciled";
    /** The hour of the rail's list that has the same movement; absent until it is found there. */
    public static final String LISTED_IN = "listedIn";

    /** The merchant's part without the commission. Only postings that move the merchant's account have it; their index is over it. */
    public static final String GROSS = "gross";
    /** What the commission adds to the merchant's account: mostly negative; absent for 0. */
    public static final String COMMISSION = "commission";

    /** What is added to the accounts, by {@link BalanceFields#MERCHANT} and so on. */
    public static final String LEGS = "legs";
    /** The topic's id, an underscore and the partition of the record that this posting was made of; then its offset. */
    public static final String SOURCE = "source";

    public static final String OFFSET = "offset";

    /** The index of a statement: by tenant and time, only over postings that move the merchant's account. */
    public static final String STATEMENT_INDEX = "statement";
    /** The index of {@link #RAIL_ID} by rail. */
    public static final String RAIL_ID_INDEX = "rail_id";
    /** The index of the postings that are not reconciled, by rail and time. */
    public static final String UNRECONCILED_INDEX = "unreconciled";

    private PostingFields() {}
}
