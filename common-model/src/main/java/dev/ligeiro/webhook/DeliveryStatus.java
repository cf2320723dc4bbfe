package dev.ligeiro.webhook;

import dev.ligeiro.transaction.Coded;
import dev.ligeiro.transaction.Codes;

/** The status of a delivery. All but {@link #SCHEDULED} are final. */
public enum DeliveryStatus implements Coded {
    /** An attempt is planned or running. */
    SCHEDULED("scheduled"),
    /** The merchant responded with 2xx. */
    DELIVERED("delivered"),
    /** The last attempt of the schedule failed. */
    EXHAUSTED("exhausted"),
    /** No further attempt: the endpoint was deleted or disabled. */
    CANCELED("canceled");

    private static final Codes<DeliveryStatus> CODES = new Codes<>(DeliveryStatus.class);

    private final String code;

    DeliveryStatus(String code) {
        this.code = code;
    }

    @Override
    public String code() {
        return code;
    }

    public static DeliveryStatus fromCode(String code) {
        return CODES.get(code);
    }
}
