package dev.ligeiro.store;

/** The field names of what processors have counted for the guard of a tenant that gateways read too. Money is int64 cents. */
public final class GuardTotalsFields {

    /** The key of the tenant. */
    public static final String ID = "_id";

    /** The guard's {@link GuardDocument#TOTALS_SINCE}. */
    public static final String SINCE = "since";

    /** Whether reservations stay until their cashouts are in the balance. */
    public static final String FUNDS_CHECKED = "fundsChecked";

    /** The cashouts that have a reservation, each with its {@link #ID}. */
    public static final String RESERVED = "reserved";

    public static final String CENTS = "cents";
    public static final String COMMISSION = "commission";

    /**
     * {@code true} if the reserved cashout was paid: the next one of its tenant ends the reservation if the balance has it. Absent
     * otherwise.
     */
    public static final String PAID = "paid";

    private GuardTotalsFields() {}
}
