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
 * Counts the transactions that match a query, exactly. Transactions are never removed, and new ones are always the youngest. So the count
 * of all transactions older than 15 s is cached, and only the younger ones are counted for each request.
 *
 * <p>A transaction of any age can change its status, so a query with a status is counted from the start each time.
 */
@Component
class MatchCounts {

    /**
     * No transaction is added with an older time of creation: an insert fails within 3 seconds of it. The rest allows for differing
     * clocks of gateways.
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
                .flatMap(known -> store.count(filter.from(known.before()), filter.index())
                        .map(younger -> known.count() + younger));
    }

    private Mono<Settled> settled(Key key, ListFilter filter, Instant before) {
        CompletableFuture<Settled> known =
                settled.get(key, (missing, executor) -> count(new Settled(Instant.EPOCH, 0), filter, before)
                        .toFuture());
        return Mono.fromFuture(known, true).flatMap(last -> advance(key, last, filter, before));
    }

    /** When the uncounted span is longer than 30 s, all of it but the last 15 s is counted and added to the cached count. */
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

    /** The number of matching transactions created before an instant. */
    private record Settled(Instant before, long count) {}
}
