package dev.ligeiro.gateway.list;

import dev.ligeiro.gateway.limit.BoundedReads;
import dev.ligeiro.gateway.list.count.CountMatches;
import dev.ligeiro.gateway.list.count.Counts;
import dev.ligeiro.gateway.list.match.Filter;
import dev.ligeiro.gateway.list.match.MatchStore;
import dev.ligeiro.gateway.list.match.Span;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.util.List;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Reads one page of a list: below a known row, or by its number. The counts show where its first row is. */
@Component
class ListTransactions {

    private final ListStore store;
    private final MatchStore matches;
    private final CountMatches counts;
    private final BoundedReads reads;

    ListTransactions(ListStore store, MatchStore matches, CountMatches counts, BoundedReads reads) {
        this.store = store;
        this.matches = matches;
        this.counts = counts;
        this.reads = reads;
    }

    Mono<ListPage> page(Tenant tenant, ListQuery query) {
        Mono<ListPage> page = query.isSingle()
                ? store.find(tenant, query).map(found -> pageOfOne(found, query))
                : read(query.filter(tenant), query);
        return reads.list(tenant, store.whileReachable(page));
    }

    private static ListPage pageOfOne(List<Transaction> found, ListQuery query) {
        TransactionId after = query.after();
        if (after == null) {
            return ListPage.at(query.page(), query.page() == 1 ? found : List.of(), found.size());
        }
        List<Transaction> rows =
                found.stream().filter(one -> one.id().compareTo(after) < 0).toList();
        return ListPage.after(query.page(), rows, rows.size(), found.size());
    }

    private Mono<ListPage> read(Filter filter, ListQuery query) {
        Span span = query.span();
        TransactionId after = query.after();
        return counts.of(filter, span)
                .flatMap(counted -> after == null
                        ? at(filter, span, counted, query.page())
                        : after(filter, span, counted, after, query.page()));
    }

    private Mono<ListPage> at(Filter filter, Span span, Counts counted, int number) {
        Mono<List<Transaction>> rows = number == 1
                ? rows(filter, counted, span, 0)
                : counts.find(filter, span, counted, ListPage.firstRow(number))
                        .flatMap(place -> rows(filter, counted, place.span(), place.skip()))
                        .defaultIfEmpty(List.of());
        return rows.map(found -> ListPage.at(number, found, counted.total()));
    }

    private Mono<ListPage> after(Filter filter, Span span, Counts counted, TransactionId after, int number) {
        return Mono.zip(
                rows(filter, counted, span.below(after), 0),
                counts.older(filter, counted, after),
                (found, below) -> ListPage.after(number, found, below, counted.total()));
    }

    private Mono<List<Transaction>> rows(Filter filter, Counts counted, Span span, long skip) {
        return matches.newest(filter, counted.spansWithMatches(span), skip, ListPage.ROWS_READ);
    }
}
