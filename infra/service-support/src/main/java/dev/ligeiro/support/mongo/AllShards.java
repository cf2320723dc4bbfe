package dev.ligeiro.support.mongo;

/**
 * The comments of the commands that ask all shards. Transactions and postings are sharded by tenant, deliveries by endpoint, and every
 * other command on them names that field, so that it asks one shard; the tests listen to the driver and fail otherwise.
 */
public final class AllShards {

    /** Looks for work of all merchants, and counts it. */
    public static final String SWEEP = "all shards: sweep";

    /** The link of a checkout has the transaction's id only. */
    public static final String CHECKOUT = "all shards: checkout";

    /** A rail knows the transaction's id only. */
    public static final String RAIL_NOTICE = "all shards: rail notice";

    public static final String OPERATOR = "all shards: operator";

    /** Whether there are transactions, at the start of a gateway. */
    public static final String SETUP = "all shards: setup";

    private AllShards() {}
}
