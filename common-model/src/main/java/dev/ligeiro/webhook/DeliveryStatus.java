package dev.ligeiro.webhook;

import dev.ligeiro.transaction.Coded;
import dev.ligeiro.transaction.Codes;

/** The status of a delivery. All but {@link #SCHEDULED} are final. */
public enum DeliveryStatus implements Coded {
    /** An attempt is planned or running. */
    SCHEDULED,
    /** The merchant responded with 2xx. */
    DELIVERED,
    /** The last attempt of the schedule failed. */
    EXHAUSTED,
    /** No further attempt: the endpoint was deleted or disabled. */
    CANCELED;

    private static final Codes<DeliveryStatus> CODES = new Codes<>(DeliveryStatus.class);

    public static DeliveryStatus fromCode(String code) {
        return CODES.get(code);
    }
}
