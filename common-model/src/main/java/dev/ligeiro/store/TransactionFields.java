package dev.ligeiro.store;

/** The field names of a stored transaction. Money is int64 cents, times are UTC, enums are stored by their codes. */
public final class TransactionFields {

    public static final String ID = "_id";
    public static final String TENANT = "tenant";
    public static final String OPERATION = "operation";
    public static final String STATUS = "status";
    public static final String VERSION = "version";
    /**
     * The time of the latest request to publish the transaction's command: the creation at first. Absent once a processor has accepted the
     * transaction. The index of what must be published again is over it.
     */
    public static final String UNACCEPTED = "unaccepted";
    /** The sequence of the first event that may not have been sent; absent for 1. */
    public static final String UNSENT_FROM = "unsentFrom";

    /** What the transaction's command must agree with: see {@link TransactionCodec#fingerprint}. */
    public static final String FINGERPRINT = "fingerprint";

    public static final String AMOUNT = "amount";
    public static final String COMMISSION = "commission";
    public static final String PAYER = "payer";
    public static final String NAME = "name";
    public static final String EMAIL = "email";
    public static final String PHONE = "phone";
    public static final String DOCUMENT = "document";
    public static final String DESCRIPTION = "description";
    public static final String PLATFORM = "platform";
    public static final String REFERENCE = "reference";
    public static final String EXTRA = "extra";
    public static final String END_TO_END_ID = "endToEndId";
    public static final String PIX_KEY = "pixKey";
    public static final String TYPE = "type";
    public static final String VALUE = "value";
    public static final String BR_CODE = "brCode";
    /** The rail's id of the payload location in the code; absent when the code names none. */
    public static final String LOCATION_ID = "locationId";

    public static final String EXPIRES_AT = "expiresAt";
    /** The name of the transaction's rail. */
    public static final String RAIL = "rail";
    /** {@code true} if a refund returns the commission in proportion; absent otherwise. */
    public static final String COMMISSION_RETURNS = "commissionReturns";

    public static final String RETURN_URL = "returnUrl";
    /** A document of strings; absent without any. */
    public static final String FISCAL = "fiscal";

    /** What the merchant wants of the payer; absent for nothing. */
    public static final String PAYER_RULES = "payerRules";

    public static final String MUST_MATCH = "mustMatch";
    public static final String REFUNDS_MISMATCH = "refundsMismatch";
    public static final String VISIBLE = "visible";

    /** When a processor must look at the transaction; absent for never. The index of due work is over it. */
    public static final String DUE = "due";
    /** Since when the outcome of a rail call has been unknown; absent without a rail call. */
    public static final String UNSETTLED_SINCE = "unsettledSince";

    /** Since when a cashout has been waiting for a person's approval; absent if it does not wait. */
    public static final String APPROVAL_SINCE = "approvalSince";

    /** Since when a defence has been waiting to be sent to the rail; absent if none is. */
    public static final String DEFENSE_SINCE = "defenseSince";

    /** The entries of the history, the oldest first. */
    public static final String HISTORY = "history";
    /** The kind of an entry; absent for a change of status. */
    public static final String KIND = "kind";

    public static final String AT = "at";
    public static final String SOURCE = "source";
    public static final String REASON = "reason";
    public static final String SETTLED_AT = "settledAt";
    /** Who has paid, as the rail tells it: a name, a tax id and a bank, each absent when not told. */
    public static final String PAID_BY = "paidBy";

    public static final String TAX_ID = "taxId";
    public static final String ISPB = "ispb";

    public static final String CHANGE = "change";
    /** The id of the API key of the request that caused an entry; absent when there was none. */
    public static final String BY = "by";
    /** The id of the console session that used the API key; absent for the merchant's own programs. */
    public static final String SESSION = "session";
    /** The idempotency key of the request that caused an entry. */
    public static final String KEY = "key";
    /** The idempotency keys of all entries and of an open cancel, for the unique index; absent without one. */
    public static final String IDEMPOTENCY_KEYS = "idempotencyKeys";

    public static final String REFUND = "refund";
    public static final String COMPLETES = "completes";
    /** Of a refund that the rail made by itself: why, and the id of the returning payment; each absent when not told. */
    public static final String NATURE = "nature";

    public static final String RTR_ID = "rtrId";

    // of the entries of a dispute
    public static final String DISPUTE = "dispute";
    public static final String SITUATION = "situation";
    public static final String DEADLINE = "deadline";
    /** The rail's time of the claim. */
    public static final String OPENED_AT = "openedAt";

    public static final String RAIL_ID = "railId";
    public static final String PROTOCOL = "protocol";
    /** The code of the dispute's status after the entry. */
    public static final String DISPUTE_STATUS = "disputeStatus";
    /** The text of a defence. */
    public static final String TEXT = "text";

    /** The requests to the rail whose outcome is not known; absent without one. */
    public static final String RAIL_CALLS = "railCalls";

    public static final String SUBMISSIONS = "submissions";
    public static final String BEGUN = "begun";
    /** {@code true} once the rail has accepted a submission; absent before. */
    public static final String ACKNOWLEDGED = "acknowledged";

    public static final String SINCE = "since";
    /** When the rail last reported something by itself; absent for never. */
    public static final String REPORTED_AT = "reportedAt";

    public static final String INQUIRIES = "inquiries";
    public static final String REJECTION = "rejection";
    /** What operators have decided about a rail call; absent without it. In an entry, the id of the decision that it follows from. */
    public static final String RESOLUTION = "resolution";

    public static final String MOVED = "moved";
    /** {@code true} if the rail is also asked who has paid; absent otherwise. */
    public static final String CHECKS_PAYER = "checksPayer";

    /** Signs the answers to a rail call. */
    public static final String SECRET = "secret";

    /** The {@link SearchTokens} of the fields by which lists filter, in their stored form. */
    public static final String SEARCH = "search";

    private TransactionFields() {}
}
