package dev.ligeiro.store;

/** The names of the shared MongoDB collections. The owner creates the collection and its indexes at start. */
public final class CollectionNames {

    /** Owned by the gateway. */
    public static final String TRANSACTIONS = "transactions";
    /** Owned by the gateway. */
    public static final String MERCHANTS = "merchants";

    /** Owned by the gateway. Counters by name; {@code merchant} has the highest number of a merchant in {@code value}. */
    public static final String COUNTERS = "counters";

    /** Owned by the gateway. */
    public static final String API_KEYS = "api_keys";

    /** Owned by the gateway. */
    public static final String ENDPOINTS = "webhook_endpoints";

    /** Owned by the webhook-dispatcher; see {@link DeliveryFields}. */
    public static final String DELIVERIES = "webhook_deliveries";

    /** Owned by the webhook-dispatcher; see {@link LaneFields} and {@link LaneUpdates}. */
    public static final String LANES = "webhook_lanes";

    /** Owned by the gateway. One document for each replay of an endpoint's deliveries: {@link dev.ligeiro.webhook.Replay}. */
    public static final String REPLAYS = "webhook_replays";

    /** Owned by the gateway. What API keys have done to endpoints: {@link dev.ligeiro.webhook.EndpointChange}. */
    public static final String ENDPOINT_CHANGES = "endpoint_changes";

    /** Owned by the gateway; see {@link UnmatchedPaymentFields}. */
    public static final String UNMATCHED_PAYMENTS = "unmatched_payments";

    /** Owned by the gateway; processors carry them out. See {@link ResolutionFields}. */
    public static final String RESOLUTIONS = "resolutions";

    /** Owned by the gateway; written by gateways and the desk. See {@link QueuedChange}. */
    public static final String QUEUED_CHANGES = "queued_changes";

    /** Owned by the gateway; see {@link BucketVersionFields}. */
    public static final String BUCKET_VERSIONS = "bucket_versions";

    /** Owned by the gateway. Payload locations that no transaction has; processors fill it, gateways empty it. */
    public static final String PAYLOAD_LOCATIONS = "payload_locations";

    /** See {@link StopFields}. Written by the desk, read by gateways and processors. */
    public static final String STOPS = "stops";

    /** Owned by the gateway; written by the desk, read by processors. See {@link GuardDocument}. */
    public static final String GUARDS = "guards";

    /** What processors have counted and reserved for a guard, one document a tenant; see {@link GuardTotalsFields}. Written by them. */
    public static final String GUARD_TOTALS = "guard_totals";

    /** See {@link SimulatorLedgerFields}. Written by the simulated rail of the processors. */
    public static final String SIMULATOR_LEDGER = "simulator_ledger";

    /** Owned by the gateway, written by processors; see {@link PostingFields}. */
    public static final String POSTINGS = "book_postings";

    /** Owned by the gateway, written by processors; see {@link BalanceFields}. */
    public static final String BALANCES = "book_balances";

    /** Owned by the gateway, written by processors and, when an operator closes one, by the desk; see {@link BreakFields}. */
    public static final String BREAKS = "book_breaks";

    /**
     * Work that one process at a time does, its progress, and what processes share. Each document belongs to the service that does the work.
     */
    public static final String LEASES = "leases";

    /** The operators' dead letters that were redriven. Owned by the gateway, written by the desk. */
    public static final String DEAD_LETTERS_REDRIVEN = "dead_letters_redriven";

    /** The operators' audit. Owned by the gateway, written by the desk. */
    public static final String ADMIN_AUDIT = "admin_audit";

    private CollectionNames() {}
}
