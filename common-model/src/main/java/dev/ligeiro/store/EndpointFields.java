package dev.ligeiro.store;

/** The field names of a stored webhook endpoint. */
public final class EndpointFields {

    public static final String ID = "_id";
    public static final String TENANT = "tenant";
    /** Absent for an endpoint with a URL, {@link #PULL} for a feed. */
    public static final String KIND = "kind";

    public static final String PULL = "pull";

    /**
     * From 0, unique within the tenant: the number of slots limits a tenant's endpoints. {@link #FEED_SLOT} for a feed.
     */
    public static final String SLOT = "slot";

    /** The slot of a feed, so that a tenant has one. */
    public static final int FEED_SLOT = -1;

    /**
     * The last number of a feed, or a number before it: a dispatcher raises it after it has given numbers. So the numbers go on when
     * the deliveries have been deleted. Absent before the first one.
     */
    public static final String LAST_NUMBER = "lastNumber";

    public static final String URL = "url";
    /** The codes of the event types. */
    public static final String EVENTS = "events";
    /** The event types that were subscribed to after the registration, by {@link #NAME} and {@link #SINCE}. May be absent. */
    public static final String ADDED_EVENTS = "addedEvents";
    /** The signing secrets, the current one first. */
    public static final String SECRETS = "secrets";
    /** The merchant's own headers. */
    public static final String HEADERS = "headers";

    public static final String DESCRIPTION = "description";
    public static final String ENABLED = "enabled";
    /** The code of the reason; null while the endpoint is enabled. */
    public static final String DISABLED_REASON = "disabledReason";
    /** When the endpoint was enabled or disabled. */
    public static final String STATUS_SINCE = "statusSince";

    public static final String CREATED_AT = "createdAt";
    public static final String VERSION = "version";

    // fields of a secret, a header or an added event type
    public static final String NAME = "name";
    public static final String VALUE = "value";
    public static final String VALID_UNTIL = "validUntil";
    public static final String SINCE = "since";

    private EndpointFields() {}
}
