package dev.ligeiro.gateway.api.list.count;

import dev.ligeiro.gateway.api.list.match.CountByKeys;
import dev.ligeiro.gateway.api.list.match.Filter;
import dev.ligeiro.gateway.api.list.match.Scan;
import dev.ligeiro.gateway.api.list.match.Span;
import dev.ligeiro.transaction.Tenant;
import java.time.Instant;
import reactor.core.publisher.Mono;

/**
 * The matches of one filter, counted in MongoDB. A count sees every change that a majority had before it.
 *
 * @param keysMax how many index keys one query may read
 */
record CountQueries(Filter filter, CountByKeys keys, long keysMax) {

    /** Some 6 ms with one term. */
    private static final long KEYS_MAX = 20_000;

    /** Some 10 ms with several terms, because each key of one is looked up in the index of another. */
    private static final long KEYS_MAX_OF_SEVERAL_TERMS = 2_000;

    static CountQueries of(Filter filter, CountByKeys keys) {
        return new CountQueries(filter, keys, filter.terms().size() <= 1 ? KEYS_MAX : KEYS_MAX_OF_SEVERAL_TERMS);
    }

    Tenant tenant() {
        return filter.tenant();
    }

    boolean hasStatus() {
        return filter.hasStatus();
    }

    /** When the tenant's first transaction was created; empty if it has none. */
    Mono<Instant> first() {
        return keys.first(filter.tenant()).flatMap(Mono::justOrEmpty);
    }

    Mono<Long> count(Span span) {
        return span.isEmpty()
                ? Mono.just(0L)
                : keys.count(filter, span, Long.MAX_VALUE).map(Scan::matches);
    }

    /** @return empty if the span has many matches: more than half as many index keys as one query may read */
    Mono<Long> countIfFew(Span span) {
        return count(span, keysMax / 2);
    }

    /** @return empty if the slice is split: it has more index keys than one query may read. A minute never is */
    Mono<Long> countInOneQuery(Slice slice) {
        Span span = Span.ofMillis(slice.from(), slice.before());
        return slice.isMinute() ? count(span) : count(span, keysMax);
    }

    private Mono<Long> count(Span span, long max) {
        return keys.count(filter, span, max).filter(Scan::isComplete).map(Scan::matches);
    }
}
