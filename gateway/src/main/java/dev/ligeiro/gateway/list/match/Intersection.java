package dev.ligeiro.gateway.list.match;

import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Finds the transactions to which several terms apply. It reads the ids of one term, the driver, and looks each up in the indexes of the
 * other terms: about 5 µs for each id of the driver, however many transactions the other terms apply to. The driver is the rarest term
 * in the part of the time that is read, because terms are rarer at one time than at another.
 */
@Component
class Intersection {

    /** 130 kB as the condition of a query. */
    static final int CHUNK_MAX = 5_000;

    private final TermStore store;

    Intersection(TermStore store) {
        this.store = store;
    }

    /** @param scannedMax the count gives up before it begins if the driver has more keys */
    Mono<Scan> count(Filter filter, Span span, long scannedMax) {
        long limit = Math.min(scannedMax, CHUNK_MAX) + 1;
        return Flux.fromIterable(filter.terms())
                .concatMap(
                        term -> store.count(filter.tenant(), term, span, limit).map(keys -> new Counted(term, keys)))
                .takeUntil(counted -> counted.keys() == 0)
                .sort(Comparator.comparingLong(Counted::keys))
                .collectList()
                .flatMap(counted -> count(filter.tenant(), counted, span, scannedMax));
    }

    /** @param counted the rarest term first */
    private Mono<Scan> count(Tenant tenant, List<Counted> counted, Span span, long scannedMax) {
        long keys = counted.get(0).keys();
        if (keys == 0 || keys > scannedMax) {
            return Mono.just(new Scan(0, keys == 0));
        }
        List<Term> terms = counted.stream().map(Counted::term).toList();
        List<Term> between = terms.subList(1, terms.size() - 1);
        Term last = terms.get(terms.size() - 1);
        return chunks(tenant, terms.get(0), span)
                .concatMap(
                        ids -> matching(tenant, between, ids).flatMap(some -> store.countAmong(tenant, last, some)), 1)
                .reduce(0L, Long::sum)
                .map(matches -> new Scan(matches, true));
    }

    private Flux<List<TransactionId>> chunks(Tenant tenant, Term driver, Span span) {
        return store.newest(tenant, driver, span, CHUNK_MAX)
                .expand(ids -> ids.size() < CHUNK_MAX
                        ? Mono.empty()
                        : store.newest(tenant, driver, span.below(ids.get(CHUNK_MAX - 1)), CHUNK_MAX));
    }

    /** Those ids to whose transactions all terms apply, in the same order. */
    Mono<List<TransactionId>> matching(Tenant tenant, List<Term> terms, List<TransactionId> ids) {
        Mono<List<TransactionId>> matching = Mono.just(ids);
        for (Term term : terms) {
            matching = matching.flatMap(some -> store.among(tenant, term, some).map(kept -> inOrder(some, kept)));
        }
        return matching;
    }

    private static List<TransactionId> inOrder(List<TransactionId> ids, List<TransactionId> kept) {
        Set<TransactionId> all = new HashSet<>(kept);
        return ids.stream().filter(all::contains).toList();
    }

    /** The highest ids of one page, the highest first. */
    Mono<List<TransactionId>> newest(Filter filter, List<Span> spans, long skip, int limit) {
        return Mono.defer(() -> {
            IdWalk walk = new IdWalk(store, this, filter, spans, skip, limit);
            return Mono.defer(walk::step).repeat(walk::goesOn).then(Mono.fromSupplier(walk::found));
        });
    }

    private record Counted(Term term, long keys) {}
}
