package dev.ligeiro.store;

/**
 * The field names of a transaction whose personal data waits to be removed, because it could not be when its time came or an erasure asked for
 * it; and of the state of the work, one document among the leases.
 */
public final class RedactionFields {

    /** That of the transaction. */
    public static final String ID = "_id";

    public static final String TENANT = "tenant";
    /** When a processor looks at it again. */
    public static final String DUE = "due";
    /** The code of a {@link dev.ligeiro.transaction.Redaction.Reason}; absent before the first look. */
    public static final String REASON = "reason";
    /** The end of the reason; absent while it is unknown. */
    public static final String UNTIL = "until";
    /** The ids of the erasures that ask for it; absent without one. */
    public static final String ERASURES = "erasures";

    /** The value of {@link #ID} of the state of the work. */
    public static final String STATE = "retention";
    /** In the state: the days of the installation; absent without. */
    public static final String DAYS = "days";
    /** In the state: the beginning and the end of the latest pass over all merchants. While it runs, the end is before the beginning. */
    public static final String BEGUN_AT = "begunAt";

    public static final String ENDED_AT = "endedAt";
    /** In the state: how many transactions have lost their personal data, int64. After a crash some may count twice. */
    public static final String REDACTED = "redacted";

    /** Before the key of a tenant: the id, among the leases, of how far its transactions are done. */
    public static final String PROGRESS = "retention/";
    /** In the progress: the last transaction that is done. */
    public static final String AFTER = "after";

    private RedactionFields() {}
}
