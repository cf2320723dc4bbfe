package dev.ligeiro.gateway.list;

import dev.ligeiro.gateway.limit.BoundedReads;
import dev.ligeiro.gateway.list.match.Filter;
import dev.ligeiro.gateway.list.match.MatchStore;
import dev.ligeiro.gateway.list.match.Span;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.util.List;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Reads one page of a list: below a known row, or by its number. */
@Component
class ListTransactions {

    private final ListStore store;
    private final MatchStore matches;
    private final MatchCounts counts;
    private final BoundedReads reads;

    ListTransactions(ListStore store, MatchStore matches, MatchCounts counts, BoundedReads reads) {
        this.store = store;
        this.matches = matches;
        this.counts = counts;
        this.reads = reads;
    }

    Mono<ListPage> page(Tenant tenant, ListQuery query) {
        return reads.list(
                tenant,
                store.whileReachable(
                        query.isSingle()
                                ? store.find(tenant, query).map(found -> pageOfOne(found, query))
                                : read(query.filter(tenant), query.span(), query)));
    }

    private Mono<ListPage> read(Filter filter, Span span, ListQuery query) {
        int number = query.page();
        TransactionId after = query.after();
        if (after != null) {
            return Mono.zip(
                            matches.newest(filter, span.below(after), 0, ListPage.ROWS_READ),
                            counts.matches(filter, span.below(after)),
                            counts.of(filter, span))
                    .map(read -> ListPage.after(number, read.getT1(), read.getT2(), read.getT3()));
        }
        if (number == 1) {
            return Mono.zip(
                    matches.newest(filter, span, 0, ListPage.ROWS_READ),
                    counts.of(filter, span),
                    (rows, counted) -> ListPage.at(1, rows, counted));
        }
        return counts.of(filter, span).flatMap(counted -> rows(filter, span, ListPage.firstRow(number), counted)
                .map(rows -> ListPage.at(number, rows, counted)));
    }

    private Mono<List<Transaction>> rows(Filter filter, Span span, long firstRow, long counted) {
        return firstRow >= counted ? Mono.just(List.of()) : matches.newest(filter, span, firstRow, ListPage.ROWS_READ);
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
}
