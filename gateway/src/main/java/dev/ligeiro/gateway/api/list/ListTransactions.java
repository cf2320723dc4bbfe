package dev.ligeiro.gateway.api.list;

import dev.ligeiro.gateway.GatewayMemoryBudget;
import dev.ligeiro.gateway.api.list.ReadMatches.Found;
import dev.ligeiro.gateway.http.limit.BoundedReads;
import dev.ligeiro.gateway.store.FailFast;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.transaction.TransactionSnapshot;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Reads one page of a list, or some rows of an export, when it is the request's turn. A page is below a known row, or found by its number:
 * the counts show where its first row is. A list with an identifier, a reference or an end-to-end id has at most one transaction, and needs
 * no counts.
 */
@Component
class ListTransactions {

    /** About 0.1 s. Each of 16 exports that wait for two slots gets one within the 2 s that it may wait. */
    private static final long EXPORT_KEYS_MAX = 20_000;

    private final DocumentStore documents;
    private final CountMatches counts;
    private final ReadMatches matches;
    private final BoundedReads reads;
    private final FailFast failFast;

    ListTransactions(
            DocumentStore documents, CountMatches counts, ReadMatches matches, BoundedReads reads, FailFast failFast) {
        this.documents = documents;
        this.counts = counts;
        this.matches = matches;
        this.reads = reads;
        this.failFast = failFast;
    }

    Mono<ListPage> page(Tenant tenant, ListQuery query) {
        return query.isSingle()
                ? inTurn(tenant, documents.single(tenant, query).map(found -> page(found, query)))
                : page(query.filter(tenant), query);
    }

    /** A list that waits for counts leaves its turn to the tenant's other lists. */
    private Mono<ListPage> page(Filter filter, ListQuery query) {
        Tenant tenant = filter.tenant();
        Mono<ListPage> atOnce = counts.atOnce(filter, query.span()).flatMap(counted -> read(filter, query, counted));
        return inTurn(tenant, atOnce)
                .switchIfEmpty(failFast.run(counts.inBackground(filter, query.span()))
                        .flatMap(counted -> inTurn(tenant, read(filter, query, counted))));
    }

    private <T> Mono<T> inTurn(Tenant tenant, Mono<T> read) {
        return reads.list(tenant, failFast.run(read));
    }

    private static ListPage page(List<TransactionSnapshot> found, ListQuery query) {
        TransactionId after = query.after();
        if (after == null) {
            return ListPage.at(query.page(), Found.all(query.page() == 1 ? found : List.of()), found.size());
        }
        List<TransactionSnapshot> rows =
                found.stream().filter(one -> one.id().compareTo(after) < 0).toList();
        return ListPage.after(query.page(), Found.all(rows), rows.size(), found.size());
    }

    private Mono<ListPage> read(Filter filter, ListQuery query, Counts counted) {
        int number = query.page();
        TransactionId after = query.after();
        if (after != null) {
            // the rows last: they may be large, and would be kept while the counts wait for their turn
            return counts.older(filter, counted, after)
                    .flatMap(below -> rows(filter, counted, query.span().below(after), 0)
                            .map(found -> ListPage.after(number, found, below, counted.total())));
        }
        return counted.find(ListPage.firstRow(number))
                .map(place -> rows(filter, counted, place.span(), place.skip()))
                .orElse(Mono.just(Found.all(List.of())))
                .map(found -> ListPage.at(number, found, counted.total()));
    }

    private Mono<Found> rows(Filter filter, Counts counted, Span span, long skip) {
        return matches.newest(filter, counted.withMatches(span), skip, ListPage.ROWS_READ);
    }

    /**
     * The newest matching transactions, without counting, for an export. If they are large, the read ends before it has found
     * {@code limit}; if they are rare, before it has found any, and leaves its slot to another read.
     *
     * @param below only those with a lower id; null: from the newest one on
     */
    Mono<Found> below(Tenant tenant, ListQuery query, @Nullable TransactionId below, int limit) {
        Span span = below == null ? query.span() : query.span().below(below);
        Mono<Found> found = query.isSingle()
                ? documents.single(tenant, query).map(Found::all)
                : matches.some(
                        query.filter(tenant), span, limit, GatewayMemoryBudget.EXPORT_READ_BYTES, EXPORT_KEYS_MAX);
        return reads.export(tenant, failFast.run(found));
    }
}
