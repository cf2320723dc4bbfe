package dev.ligeiro.gateway.list.match;

import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Finds the transactions to which several terms apply. It reads the ids of the rarest term, its driver, and looks each up in the indexes
 * of the other terms: about 5 µs for each id of the driver, however many transactions the other terms apply to.
 */
@Component
class Intersection {

    private static final int CHUNK_MIN = 250;
    /** 130 kB as the condition of a query. */
    private static final int CHUNK_MAX = 5_000;

    private final TermStore store;
    private final TermOrder order;

    Intersection(TermStore store, TermOrder order) {
        this.store = store;
        this.order = order;
    }

    /** @param scannedMax the count gives up before it begins if the driver has more keys */
    Mono<Scan> count(Filter filter, Span span, long scannedMax) {
        return order.of(filter).flatMap(terms -> store.count(
                        filter.tenant(), terms.get(0), span, scannedMax == Long.MAX_VALUE ? 1 : scannedMax + 1)
                .flatMap(keys -> {
                    if (keys == 0) {
                        return Mono.just(new Scan(0, true));
                    }
                    return keys > scannedMax
                            ? Mono.just(new Scan(0, false))
                            : all(filter.tenant(), terms, span).map(matches -> new Scan(matches, true));
                }));
    }

    private Mono<Long> all(Tenant tenant, List<Term> terms, Span span) {
        return chunks(tenant, terms.get(0), span, CHUNK_MAX)
                .concatMap(chunk -> matching(tenant, terms.subList(1, terms.size() - 1), chunk.ids())
                        .flatMap(ids -> store.countAmong(tenant, terms.get(terms.size() - 1), ids)))
                .reduce(0L, Long::sum);
    }

    /**
     * The highest ids after the first {@code skip}, the highest first.
     *
     * @param spans the newest first
     */
    Mono<List<TransactionId>> newest(Filter filter, List<Span> spans, long skip, int limit) {
        int first = (int) Math.min(CHUNK_MAX, Math.max(CHUNK_MIN, 2 * (skip + limit)));
        return order.of(filter).flatMap(terms -> Flux.fromIterable(spans)
                .concatMap(span -> chunks(filter.tenant(), terms.get(0), span, first), 1)
                .concatMap(chunk -> matching(filter.tenant(), terms.subList(1, terms.size()), chunk.ids()), 1)
                .concatMapIterable(ids -> ids)
                .skip(skip)
                .take(limit)
                .collectList());
    }

    /** The driver's ids, the highest first. */
    private Flux<Chunk> chunks(Tenant tenant, Term driver, Span span, int size) {
        return chunk(tenant, driver, span, size)
                .expand(last -> last.ids().size() < last.size()
                        ? Mono.empty()
                        : chunk(tenant, driver, span.below(last.lowest()), Math.min(CHUNK_MAX, 2 * last.size())));
    }

    private Mono<Chunk> chunk(Tenant tenant, Term driver, Span span, int size) {
        return store.newest(tenant, driver, span, size).map(ids -> new Chunk(ids, size));
    }

    /** Those ids to whose transactions all terms apply, in the same order. */
    private Mono<List<TransactionId>> matching(Tenant tenant, List<Term> terms, List<TransactionId> ids) {
        return Flux.fromIterable(terms)
                .reduce(
                        Mono.just(ids),
                        (known, term) -> known.flatMap(
                                some -> store.among(tenant, term, some).map(kept -> ordered(some, kept))))
                .flatMap(result -> result);
    }

    private static List<TransactionId> ordered(List<TransactionId> ids, List<TransactionId> kept) {
        Set<TransactionId> all = new HashSet<>(kept);
        return ids.stream().filter(all::contains).toList();
    }

    /** @param size how many ids were requested */
    private record Chunk(List<TransactionId> ids, int size) {

        private TransactionId lowest() {
            return ids.get(ids.size() - 1);
        }
    }
}
