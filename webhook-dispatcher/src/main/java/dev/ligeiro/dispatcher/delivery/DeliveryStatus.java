package dev.ligeiro.dispatcher.delivery;

/** Where a delivery stands. All but {@link #SCHEDULED} are final. */
public enum DeliveryStatus {
    /** Another attempt is due at some time, or under way. */
    SCHEDULED("scheduled"),
    /** The merchant answered 2xx. */
    DELIVERED("delivered"),
    /** The last attempt of the schedule failed. */
    EXHAUSTED("exhausted"),
    /** Nothing more is tried: the endpoint is gone, disabled, or cannot be posted to at all. */
    CANCELED("canceled");

    private static final DeliveryStatus[] STATUSES = values();

    private final String word;

    DeliveryStatus(String word) {
        this.word = word;
    }

    /** The word of the API, the store and the metrics. */
    public String word() {
        return word;
    }

    static DeliveryStatus ofWord(String word) {
        for (DeliveryStatus status : STATUSES) {
            if (status.word.equals(word)) {
                return status;
            }
        }
        throw new IllegalArgumentException(word + " (expected: a delivery status)");
    }
}
