package dev.ligeiro.store;

/** The field names of a stored webhook endpoint. */
public final class EndpointFields {

    public static final String ID = "_id";
    public static final String TENANT = "tenant";
    public static final String URL = "url";
    /** The codes of the event types. */
    public static final String EVENTS = "events";

    public static final String SECRET = "secret";
    public static final String DESCRIPTION = "description";
    public static final String ENABLED = "enabled";
    public static final String CREATED_AT = "createdAt";

    private EndpointFields() {}
}
