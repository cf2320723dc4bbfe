package dev.ligeiro.store;

/**
 * The names of the shared MongoDB collections. The owner creates the collection and its indexes at start: the gateway, unless said
 * otherwise.
 */
public final class CollectionNames {

    public static final String TRANSACTIONS = "transactions";
    public static final String MERCHANTS = "merchants";
    public static final String API_KEYS = "api_keys";
    public static final String ENDPOINTS = "webhook_endpoints";

    /** Counters by name; {@code merchant} has the highest number of a merchant in {@code value}. */
    public static final String COUNTERS = "counters";

    /** Owned by the webhook-dispatcher; see {@link DeliveryFields}. */
    public static final String DELIVERIES = "webhook_deliveries";

    /** Owned by the webhook-dispatcher; see {@link LaneFields} and {@link LaneUpdates}. */
    public static final String LANES = "webhook_lanes";

    /** One document for each replay of an endpoint's deliveries: {@link dev.ligeiro.webhook.Replay}. */
    public static final String REPLAYS = "webhook_replays";

    /** What API keys have done to endpoints: {@link dev.ligeiro.webhook.EndpointChange}. */
    public static final String ENDPOINT_CHANGES = "endpoint_changes";

    /** See {@link UnmatchedPaymentFields}. */
    public static final String UNMATCHED_PAYMENTS = "unmatched_payments";

    /** What rails say about disputes, written by processors. See {@link StoredDispute}. */
    public static final String DISPUTES = "disputes";

    /** Processors carry them out. See {@link ResolutionFields}. */
    public static final String RESOLUTIONS = "resolutions";

    /** Written by gateways and the desk. See {@link QueuedChange}. */
    public static final String QUEUED_CHANGES = "queued_changes";

    /** See {@link BucketVersionFields}. */
    public static final String BUCKET_VERSIONS = "bucket_versions";

    /** Payload locations that no transaction has; processors fill it, gateways empty it. */
    public static final String PAYLOAD_LOCATIONS = "payload_locations";

    /** See {@code merchant.Stop}. Written by the desk, read by gateways and processors. */
    public static final String STOPS = "stops";

    /** Written by the desk, read by processors. See {@link GuardDocument}. */
    public static final String GUARDS = "guards";

    /** What processors have counted and reserved for a guard, one document a tenant; see {@link GuardTotalsFields}. Written by them. */
    public static final String GUARD_TOTALS = "guard_totals";

    /** See {@link SimulatorLedgerFields}. Written by the simulated rail of the processors. */
    public static final String SIMULATOR_LEDGER = "simulator_ledger";

    // the books, written by processors: see PostingFields, BalanceFields and BreakFields; the desk closes breaks
    public static final String POSTINGS = "book_postings";
    public static final String BALANCES = "book_balances";
    public static final String BREAKS = "book_breaks";

    /** Transactions whose personal data waits to be removed; see {@link RedactionFields}. Written by processors. */
    public static final String REDACTIONS = "redactions";

    /** See {@link ErasureFields}. Written by the desk until it is confirmed, then by processors. */
    public static final String ERASURES = "erasures";

    /** See {@link ArchiveFields}. Written by processors; the desk asks for the return of a month. */
    public static final String ARCHIVED_MONTHS = "archived_months";

    /** The files of archived months with their hashes. Written by processors. */
    public static final String ARCHIVED_PARTS = "archived_parts";

    /** See {@link ArchivedCount}. Written by processors, read by gateways. */
    public static final String ARCHIVED_COUNTS = "archived_counts";

    /**
     * Work that one process at a time does, its progress, and what processes share. Each document belongs to the service that does the work.
     */
    public static final String LEASES = "leases";

    // the operators' redriven dead letters and audit, written by the desk
    public static final String DEAD_LETTERS_REDRIVEN = "dead_letters_redriven";
    public static final String ADMIN_AUDIT = "admin_audit";

    private CollectionNames() {}
}
