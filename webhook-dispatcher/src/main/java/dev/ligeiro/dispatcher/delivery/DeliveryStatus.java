package dev.ligeiro.dispatcher.delivery;

import dev.ligeiro.transaction.Coded;
import dev.ligeiro.transaction.Codes;

/** Where a delivery stands. All but {@link #SCHEDULED} are final. */
public enum DeliveryStatus implements Coded {
    /** Another attempt is due at some time, or under way. */
    SCHEDULED("scheduled"),
    /** The merchant answered 2xx. */
    DELIVERED("delivered"),
    /** The last attempt of the schedule failed. */
    EXHAUSTED("exhausted"),
    /** Nothing more is tried: the endpoint is gone, disabled, or cannot be posted to at all. */
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

    static DeliveryStatus fromCode(String code) {
        return CODES.get(code);
    }
}
