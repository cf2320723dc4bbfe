package dev.ligeiro.gateway.list.match;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Orders the terms of a filter by the number of transactions to which they apply, the rarest first. Terms that all apply to 100,000 are
 * in any order. It costs up to 30 ms for each term, once an hour.
 */
@Component
class TermOrder {

    private static final List<Long> LIMITS = List.of(1_000L, 10_000L, 100_000L);
    private static final Duration KEPT = Duration.ofHours(1);
    private static final int KEPT_MAX = 10_000;

    private final TermStore store;
    private final AsyncCache<Filter, List<Term>> orders =
            Caffeine.newBuilder().expireAfterWrite(KEPT).maximumSize(KEPT_MAX).buildAsync();

    TermOrder(TermStore store) {
        this.store = store;
    }

    Mono<List<Term>> of(Filter filter) {
        return Mono.fromFuture(
                orders.get(filter, (missing, executor) -> order(filter, 0).toFuture()), true);
    }

    /** Counts with a higher limit while each term applies to as many transactions as the last limit. */
    private Mono<List<Term>> order(Filter filter, int step) {
        long limit = LIMITS.get(step);
        return Flux.fromIterable(filter.terms())
                .concatMap(term ->
                        store.count(filter.tenant(), term, Span.ALL, limit).map(keys -> new Counted(term, keys)))
                .sort(Comparator.comparingLong(Counted::keys))
                .collectList()
                .flatMap(terms -> terms.get(0).keys() < limit || step + 1 == LIMITS.size()
                        ? Mono.just(terms.stream().map(Counted::term).toList())
                        : order(filter, step + 1));
    }

    private record Counted(Term term, long keys) {}
}
