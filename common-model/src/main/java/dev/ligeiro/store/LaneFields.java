package dev.ligeiro.store;

/** The field names of a stored lane. */
public final class LaneFields {

    /** The endpoint's id. */
    public static final String ID = "_id";

    public static final String TENANT = "tenant";
    public static final String DUE_AT = "dueAt";
    /** Absent without a lease. */
    public static final String LEASE_UNTIL = "leaseUntil";

    public static final String CLAIM = "claim";
    /** Absent for 0. */
    public static final String FAILURES = "failures";

    public static final String OPENINGS = "openings";
    /** Absent while the breaker is closed. */
    public static final String OPEN_UNTIL = "openUntil";

    public static final String FAILING_SINCE = "failingSince";
    /** Absent if no first attempt was slow. */
    public static final String SLOW_UNTIL = "slowUntil";

    public static final String MARKS = "marks";

    private LaneFields() {}
}
