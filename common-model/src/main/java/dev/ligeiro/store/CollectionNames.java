package dev.ligeiro.store;

/** The names of the MongoDB collections, each with the service that owns it (creates it with its indexes at start). */
public final class CollectionNames {

    /** Owned by the gateway. */
    public static final String TRANSACTIONS = "transactions";
    /** Owned by the gateway. */
    public static final String ENDPOINTS = "webhook_endpoints";

    private CollectionNames() {}
}
