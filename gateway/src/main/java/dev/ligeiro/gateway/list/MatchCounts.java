package dev.ligeiro.gateway.list;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.ligeiro.gateway.list.match.Filter;
import dev.ligeiro.gateway.list.match.MatchStore;
import dev.ligeiro.gateway.list.match.Scan;
import dev.ligeiro.gateway.list.match.Span;
import java.time.Clock;
import java.time.Duration;
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
    private static final long SETTLED_AFTER_MS = 15_000;

    private static final Duration KEPT_UNUSED = Duration.ofHours(1);
    private static final int KEPT_MAX = 10_000;

    private final MatchStore store;
    private final Clock clock;
    private final AsyncCache<Key, Settled> settled = Caffeine.newBuilder()
            .expireAfterAccess(KEPT_UNUSED)
            .maximumSize(KEPT_MAX)
            .buildAsync();

    MatchCounts(MatchStore store, Clock clock) {
        this.store = store;
        this.clock = clock;
    }

    Mono<Long> of(Filter filter, Span span) {
        if (filter.hasStatus()) {
            return matches(filter, span);
        }
        long before = clock.millis() - SETTLED_AFTER_MS;
        return settled(new Key(filter, span), before).flatMap(known -> matches(filter, span.fromMillis(known.before()))
                .map(younger -> known.count() + younger));
    }

    /** The number of matching transactions of a span that changes with each request. */
    Mono<Long> matches(Filter filter, Span span) {
        return store.count(filter, span, Long.MAX_VALUE).map(Scan::matches);
    }

    private Mono<Settled> settled(Key key, long before) {
        CompletableFuture<Settled> known = settled.get(key, (missing, executor) -> count(key, new Settled(0, 0), before)
                .toFuture());
        return Mono.fromFuture(known, true).flatMap(last -> advance(key, last, before));
    }

    /** When the uncounted span is longer than 30 s, all of it but the last 15 s is counted and added to the cached count. */
    private Mono<Settled> advance(Key key, Settled last, long before) {
        if (last.before() + SETTLED_AFTER_MS > before) {
            return Mono.just(last);
        }
        return count(key, last, before).doOnNext(next -> settled.put(key, CompletableFuture.completedFuture(next)));
    }

    private Mono<Settled> count(Key key, Settled last, long before) {
        return matches(key.filter(), key.span().fromMillis(last.before()).beforeMillis(before))
                .map(more -> new Settled(before, last.count() + more));
    }

    private record Key(Filter filter, Span span) {}

    /** The number of matching transactions created before an instant. */
    private record Settled(long before, long count) {}
}
