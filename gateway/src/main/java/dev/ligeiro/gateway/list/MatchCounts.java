package dev.ligeiro.gateway.list;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.ligeiro.transaction.Tenant;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Says exactly how many transactions match a query. Transactions are only ever added, and only at the young end, so the count of
 * what is old enough is kept and just the rest is counted: a list of millions costs what a list of the last seconds does.
 *
 * <p>A status can change at any age: a query with one is counted anew each time.
 */
@Component
class MatchCounts {

    /**
     * Older than this nothing is added: an insert is given up within 3 seconds of the id's time, the rest is for clocks of
     * gateways that differ.
     */
    private static final Duration SETTLED_AFTER = Duration.ofSeconds(15);

    private static final Duration KEPT_UNUSED = Duration.ofHours(1);
    private static final int KEPT_MAX = 10_000;

    private final ListStore store;
    private final Clock clock;
    private final AsyncCache<Key, Settled> settled = Caffeine.newBuilder()
            .expireAfterAccess(KEPT_UNUSED)
            .maximumSize(KEPT_MAX)
            .buildAsync();

    MatchCounts(ListStore store, Clock clock) {
        this.store = store;
        this.clock = clock;
    }

    Mono<Long> of(Tenant tenant, ListQuery query, ListFilter filter) {
        if (query.status() != null || query.isSingle()) {
            return store.count(filter.bson(), filter.index());
        }
        Instant before = clock.instant().minus(SETTLED_AFTER);
        return settled(new Key(tenant, query.firstPage()), filter, before)
                .flatMap(known ->
                        store.count(filter.from(known.before()), filter.index()).map(young -> known.count() + young));
    }

    private Mono<Settled> settled(Key key, ListFilter filter, Instant before) {
        CompletableFuture<Settled> known =
                settled.get(key, (missing, executor) -> count(new Settled(Instant.EPOCH, 0), filter, before)
                        .toFuture());
        return Mono.fromFuture(known, true).flatMap(last -> advance(key, last, filter, before));
    }

    /** Once what is young has doubled in age, the older half of it joins the settled count. */
    private Mono<Settled> advance(Key key, Settled last, ListFilter filter, Instant before) {
        if (last.before().plus(SETTLED_AFTER).isAfter(before)) {
            return Mono.just(last);
        }
        return count(last, filter, before).doOnNext(next -> settled.put(key, CompletableFuture.completedFuture(next)));
    }

    private Mono<Settled> count(Settled last, ListFilter filter, Instant before) {
        return store.count(filter.between(last.before(), before), filter.index())
                .map(more -> new Settled(before, last.count() + more));
    }

    private record Key(Tenant tenant, ListQuery query) {}

    /** How many match that were created before an instant. */
    private record Settled(Instant before, long count) {}
}
