package dev.ligeiro.webhook;

import dev.ligeiro.transaction.Coded;

/** The status of a delivery. All but {@link #SCHEDULED} are final. */
public enum DeliveryStatus implements Coded {
    /** An attempt is planned or running. */
    SCHEDULED,
    /** The merchant responded with 2xx. */
    DELIVERED,
    /** The last attempt of the schedule failed. */
    EXHAUSTED,
    /** No further attempt: the endpoint was deleted or disabled. */
    CANCELED
}
