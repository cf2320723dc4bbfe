package dev.ligeiro.dispatcher.delivery;

/** The field names of a stored delivery. */
final class DeliveryFields {

    static final String COLLECTION = "webhook_deliveries";

    /** Binary: see {@link DeliveryId}. */
    static final String ID = "_id";

    static final String EVENT_TYPE = "eventType";
    static final String EVENT_AT = "eventAt";
    static final String CREATED_AT = "createdAt";
    static final String STATUS = "status";
    static final String ATTEMPTS = "attempts";
    static final String NEXT_ATTEMPT_AT = "nextAttemptAt";
    static final String CLAIM = "claim";
    static final String BODY = "body";

    // fields of one attempt
    static final String AT = "at";
    static final String OUTCOME = "outcome";
    static final String STATUS_CODE = "statusCode";
    static final String DURATION_MS = "durationMs";

    private DeliveryFields() {}
}
