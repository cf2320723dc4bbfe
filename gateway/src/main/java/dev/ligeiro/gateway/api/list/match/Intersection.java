package dev.ligeiro.gateway.api.list.match;

import dev.ligeiro.gateway.api.list.match.FilterIds.Chunk;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Finds the transactions to which several terms apply. It reads the ids of the rarest term, and looks each up in the indexes of the other
 * terms: about 5 µs for each id, however many transactions the other terms apply to. Which term is the rarest is found for the span of a
 * count, and for a page again where a step has found no match, because terms are rarer at one time than at another.
 */
@Component
class Intersection {

    private final TermStore store;

    Intersection(TermStore store) {
        this.store = store;
    }

    /** @return empty, before it begins, if the rarest term has more keys than {@code keysMax} */
    Mono<CountByKeys.Counted> count(Filter filter, Span span, long keysMax) {
        long limit = Math.min(keysMax, ChunkSize.MAX) + 1;
        return Flux.fromIterable(filter.terms())
                .concatMap(
                        term -> store.count(filter.tenant(), term, span, limit).map(keys -> new TermKeys(term, keys)))
                .takeUntil(term -> term.keys() == 0)
                .sort(Comparator.comparingLong(TermKeys::keys))
                .collectList()
                .flatMap(rarestFirst -> count(filter, rarestFirst, span, keysMax));
    }

    private Mono<CountByKeys.Counted> count(Filter filter, List<TermKeys> rarestFirst, Span span, long keysMax) {
        long keys = rarestFirst.get(0).keys();
        if (keys == 0) {
            return Mono.just(new CountByKeys.Counted(0, 0));
        }
        if (keys > keysMax) {
            return Mono.empty();
        }
        Mono<List<Term>> terms = keys <= ChunkSize.MAX
                ? Mono.just(rarestFirst.stream().map(TermKeys::term).toList())
                // no count has reached its end
                : new FilterIds(store, filter)
                        .rarestFirst(span)
                        .map(chunks -> chunks.stream().map(Chunk::term).toList());
        return terms.flatMap(ordered -> count(filter, ordered, span))
                .map(count -> new CountByKeys.Counted(count, keys));
    }

    /** @param terms the rarest first */
    private Mono<Long> count(Filter filter, List<Term> terms, Span span) {
        if (terms.size() < filter.terms().size()) {
            return Mono.just(0L); // one term has no ids any more
        }
        FilterIds filterIds = new FilterIds(store, filter);
        List<Term> between = terms.subList(1, terms.size() - 1);
        Term last = terms.get(terms.size() - 1);
        return chunks(filter.tenant(), terms.get(0), span)
                .concatMap(
                        ids -> filterIds
                                .matching(between, ids)
                                .flatMap(some -> store.countAmong(filter.tenant(), last, some)),
                        1)
                .reduce(0L, Long::sum);
    }

    private Flux<List<TransactionId>> chunks(Tenant tenant, Term rarest, Span span) {
        return store.newest(tenant, rarest, span, ChunkSize.MAX)
                .expand(ids -> ids.size() < ChunkSize.MAX
                        ? Mono.empty()
                        : store.newest(tenant, rarest, span.below(ids.get(ChunkSize.MAX - 1)), ChunkSize.MAX));
    }

    /**
     * The ids of one page.
     *
     * @param spans the newest first
     * @param keysMax after how many keys of the rarest term the search gives up
     */
    Mono<FoundIds> newest(Filter filter, List<Span> spans, long skip, int limit, long keysMax) {
        return Mono.defer(() -> {
            IdWalk walk = new IdWalk(new FilterIds(store, filter), spans, skip, limit, keysMax);
            return Mono.defer(walk::step).repeat(walk::goesOn).then(Mono.fromSupplier(walk::found));
        });
    }

    /**
     * The ids that were found, the highest first.
     *
     * @param reached matches with lower ids have not been looked for; null: there are none
     */
    record FoundIds(List<TransactionId> ids, @Nullable TransactionId reached) {}

    private record TermKeys(Term term, long keys) {}
}
