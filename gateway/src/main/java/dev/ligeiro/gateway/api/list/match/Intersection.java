package dev.ligeiro.gateway.api.list.match;

import dev.ligeiro.gateway.api.list.match.FilterIds.Chunk;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import java.util.Comparator;
import java.util.List;
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

    /** @param scannedMax the count gives up before it begins if the rarest term has more keys */
    Mono<Scan> count(Filter filter, Span span, long scannedMax) {
        long limit = Math.min(scannedMax, ChunkSize.MAX) + 1;
        return Flux.fromIterable(filter.terms())
                .concatMap(
                        term -> store.count(filter.tenant(), term, span, limit).map(keys -> new Counted(term, keys)))
                .takeUntil(counted -> counted.keys() == 0)
                .sort(Comparator.comparingLong(Counted::keys))
                .collectList()
                .flatMap(counted -> count(filter, counted, span, scannedMax));
    }

    /** @param counted the rarest term first */
    private Mono<Scan> count(Filter filter, List<Counted> counted, Span span, long scannedMax) {
        long keys = counted.get(0).keys();
        if (keys == 0 || keys > scannedMax) {
            return Mono.just(new Scan(0, keys == 0));
        }
        Mono<List<Term>> terms = keys <= ChunkSize.MAX
                ? Mono.just(counted.stream().map(Counted::term).toList())
                // no count has reached its end
                : new FilterIds(store, filter)
                        .rarestFirst(span)
                        .map(chunks -> chunks.stream().map(Chunk::term).toList());
        return terms.flatMap(ordered -> count(filter, ordered, span)).map(count -> new Scan(count, true));
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
     * @param parts the newest first
     * @param keysMax after how many keys of the rarest term the search gives up
     */
    Mono<FoundIds> newest(Filter filter, List<Part> parts, long skip, int limit, long keysMax) {
        return Mono.defer(() -> {
            IdWalk walk = new IdWalk(new FilterIds(store, filter), parts, new PageIds(skip, limit), keysMax);
            return Mono.defer(walk::step).repeat(walk::goesOn).then(Mono.fromSupplier(walk::found));
        });
    }

    private record Counted(Term term, long keys) {}
}
