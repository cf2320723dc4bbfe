package dev.ligeiro.gateway.api.list.count;

import dev.ligeiro.gateway.api.list.match.CountByKeys;
import dev.ligeiro.gateway.api.list.match.Filter;
import dev.ligeiro.gateway.api.list.match.Span;
import dev.ligeiro.transaction.Tenant;
import java.time.Instant;
import reactor.core.publisher.Mono;

/**
 * The matches of one filter, counted in MongoDB. A count sees every change that a majority had before it.
 *
 * @param keysMax how many index keys one query should read at most
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

    /** When the tenant's first transaction was created; empty if it has none. */
    Mono<Instant> first() {
        return keys.first(filter.tenant());
    }

    /** However many index keys it reads. */
    Mono<Long> count(Span span) {
        return upTo(span, Long.MAX_VALUE).map(CountByKeys.Counted::matches);
    }

    /** @return empty if the span has more index keys */
    Mono<CountByKeys.Counted> upTo(Span span, long keysMax) {
        return span.isEmpty() ? Mono.just(new CountByKeys.Counted(0, 0)) : keys.count(filter, span, keysMax);
    }
}
