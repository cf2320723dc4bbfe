package dev.ligeiro.store;

/**
 * The field names of a stored delivery.
 *
 * <p>To schedule an ended delivery again: set {@link #STATUS} to {@code scheduled} and {@link #NEXT_ATTEMPT_AT};
 * unset {@link #ENDED_AT}; then mark the endpoint's lane by {@link LaneUpdates}, in this order. The payload need not be set.
 */
public final class DeliveryFields {

    /** Binary: see {@link dev.ligeiro.webhook.DeliveryId}. */
    public static final String ID = "_id";

    /** The endpoint's id, which never changes: the shard key. */
    public static final String ENDPOINT = "endpoint";

    public static final String EVENT_TYPE = "eventType";
    public static final String EVENT_AT = "eventAt";
    public static final String STATUS = "status";
    public static final String ATTEMPTS = "attempts";
    /** Only while scheduled. */
    public static final String NEXT_ATTEMPT_AT = "nextAttemptAt";
    /** Only in a final status. The delivery is deleted 30 days later. */
    public static final String ENDED_AT = "endedAt";

    /**
     * The id of the last replay that has scheduled the delivery again, a random one if it was asked for alone; absent if it was never
     * scheduled again.
     */
    public static final String REPLAY = "replay";

    /**
     * The payload of a test event, only while scheduled. The payload of any other event is built from the stored transaction.
     */
    public static final String BODY = "body";

    /** See {@link dev.ligeiro.message.Origin}. */
    public static final String REQUEST_ID = "requestId";

    public static final String TRACE_PARENT = "traceParent";

    /** The place in the order of a feed, from 1 without gaps; only in a delivered one of a feed. */
    public static final String FEED_NUMBER = "feedNumber";

    /** The name of the unique index of {@link #ENDPOINT} and {@link #FEED_NUMBER}, of the deliveries that have a number. */
    public static final String FEED_INDEX = "feed";

    // fields of one attempt
    public static final String AT = "at";
    public static final String OUTCOME = "outcome";
    public static final String STATUS_CODE = "statusCode";
    public static final String DURATION_MS = "durationMs";

    /**
     * The beginnings of the responses to the last failed attempts, the oldest first: elements with the {@link #AT} of their attempt, and a
     * {@link #TEXT}. Absent without one. They are beside the attempts, so that a push keeps their number.
     */
    public static final String RESPONSES = "responses";

    /** At most 1 kB. */
    public static final String TEXT = "text";

    /** A delivery keeps the responses of so many attempts. */
    public static final int RESPONSES_MAX = 3;

    private DeliveryFields() {}
}
