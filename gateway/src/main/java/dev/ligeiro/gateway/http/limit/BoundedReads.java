package dev.ligeiro.gateway.http.limit;

import dev.ligeiro.gateway.GatewayMemoryBudget;
import dev.ligeiro.gateway.store.LongReadProperties;
import dev.ligeiro.transaction.Tenant;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.LongUnaryOperator;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Bounds how many long reads run at once, and how much of MongoDB their queries use. Lists, pages and requests for
 * webhooks have bounds of their own, so that slow lists do not stop a tenant's feed, and slow pages no change of an endpoint.
 */
@Component
public class BoundedReads {

    /** How long a change may wait for its turn. */
    public static final Duration CHANGE_WAIT_MAX = Duration.ofSeconds(8);

    /** The number of tenants that may fill all their waiting places. */
    private static final int WAITING_TENANTS = 20;

    private static final int LISTS_WAITING = 10;

    /** A page, or the next part of an export, takes milliseconds, so many of them get their turn in time. */
    private static final int PAGES_WAITING = 50;

    private static final int CHANGES_PER_TENANT = 8;
    private static final int CHANGES_MAX = 32;

    /** A merchant may send some hundred refunds at once. */
    private static final int CHANGES_WAITING = 1_000;

    /** So that one long query does not hold all readers up. */
    private static final long REST_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(250);

    private static final LongUnaryOperator NO_REST = tookNanos -> 0;

    private final Turns lists;
    private final Turns pages;
    private final Turns manages;
    private final Turns exports;
    private final Turns changes;
    private final Turns queries;
    private final Turns replies;

    BoundedReads(LongReadProperties properties) {
        Duration waitMax = properties.waitMax();
        Turns.Bounds ofPages = bounds(properties.pagesPerTenant(), properties.pagesMax(), PAGES_WAITING, waitMax);
        this.lists = turns("lists", bounds(properties.listsPerTenant(), properties.listsMax(), LISTS_WAITING, waitMax));
        this.pages = turns("pages of events and deliveries", ofPages);
        this.manages = turns("requests for webhooks", ofPages);
        this.exports =
                turns("reads for exports", bounds(1, LongReadProperties.EXPORT_READS_MAX, PAGES_WAITING, waitMax));
        this.changes = turns(
                "changes of transactions with many refunds",
                new Turns.Bounds(
                        CHANGES_PER_TENANT,
                        CHANGES_MAX,
                        CHANGES_WAITING,
                        GatewayMemoryBudget.CHANGES_WAITING_MAX,
                        CHANGE_WAIT_MAX));
        this.queries = paced(
                properties.queriesMax(),
                properties.rest(),
                () -> lists.underWay() + exports.underWay(),
                Schedulers.parallel());
        this.replies = new Turns(
                "replies",
                unlimitedWait(
                        GatewayMemoryBudget.repliesMax(Runtime.getRuntime().maxMemory())),
                NO_REST,
                Schedulers.parallel());
    }

    private static Turns turns(String what, Turns.Bounds bounds) {
        return new Turns(what, bounds, NO_REST, Schedulers.parallel());
    }

    private static Turns.Bounds bounds(int perTenant, int inAll, int waitingPerTenant, Duration waitMax) {
        return new Turns.Bounds(perTenant, inAll, waitingPerTenant, WAITING_TENANTS * waitingPerTenant, waitMax);
    }

    private static Turns.Bounds unlimitedWait(int max) {
        return new Turns.Bounds(max, max, Integer.MAX_VALUE, Integer.MAX_VALUE, null);
    }

    /**
     * A turn rests after its query: for the query's duration times the number of other reads under way, at most {@code restMax} times.
     * Many readers together then use only a part of MongoDB's cores, in short pieces, and the writes of creates find a core. Few readers
     * wait little, and a single one never waits for a rest.
     *
     * @param max queries at once
     * @param restMax how many times as long as its query a turn rests at most; 0: never
     * @param reads how many reads run or wait
     */
    static Turns paced(int max, int restMax, IntSupplier reads, Scheduler timer) {
        LongUnaryOperator rest =
                tookNanos -> Math.min(REST_NANOS_MAX, tookNanos * Math.min(restMax, Math.max(0, reads.getAsInt() - 1)));
        return new Turns("queries", unlimitedWait(max), rest, timer);
    }

    /** A list of transactions, which may count millions. */
    public <T> Mono<T> list(Tenant tenant, Mono<T> query) {
        return lists.run(tenant, query);
    }

    /** A page of a feed or of deliveries, of at most 1,000 documents. */
    public <T> Mono<T> page(Tenant tenant, Mono<T> query) {
        return pages.run(tenant, query);
    }

    /** A request that reads or changes a merchant's webhook endpoints. As many run as pages. */
    public <T> Mono<T> manage(Tenant tenant, Mono<T> request) {
        return manages.run(tenant, request);
    }

    /** A few hundred transactions of an export. All exports together have two reads at a time, however fast their clients read. */
    public <T> Mono<T> export(Tenant tenant, Mono<T> query) {
        return exports.run(tenant, query);
    }

    /**
     * A change of a transaction with many refunds, which reads up to 200 kB twice, and again in the processor. More than a few at a time
     * would fill both, and the changes of other merchants would wait for them.
     */
    public <T> Mono<T> change(Tenant tenant, Mono<T> change) {
        return changes.run(tenant, change);
    }

    /** A read of index keys or documents of transactions, for a list, an export or a count in the background. */
    public <T> Mono<T> query(Mono<T> query) {
        return queries.run(this, query);
    }

    /** A read of whole transactions, of which MongoDB may send 16 MB at once. */
    public <T> Mono<T> transactions(Mono<T> query) {
        return replies.run(this, query);
    }
}
