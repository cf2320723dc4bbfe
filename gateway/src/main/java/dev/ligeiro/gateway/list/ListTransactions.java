package dev.ligeiro.gateway.list;

import dev.ligeiro.gateway.limit.BoundedReads;
import dev.ligeiro.gateway.list.match.Filter;
import dev.ligeiro.gateway.list.match.Found;
import dev.ligeiro.gateway.mongo.FailFast;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.util.List;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Reads one page of a list when it is the request's turn. */
@Component
class ListTransactions {

    private final ListStore store;
    private final ReadByCounts pages;
    private final BoundedReads reads;
    private final FailFast failFast;

    ListTransactions(ListStore store, ReadByCounts pages, BoundedReads reads, FailFast failFast) {
        this.store = store;
        this.pages = pages;
        this.reads = reads;
        this.failFast = failFast;
    }

    Mono<ListPage> page(Tenant tenant, ListQuery query) {
        return query.isSingle()
                ? inTurn(tenant, store.find(tenant, query).map(found -> pageOfOne(found, query)))
                : page(query.filter(tenant), query);
    }

    /** A list that waits for counts leaves its turn to the tenant's other lists. */
    private Mono<ListPage> page(Filter filter, ListQuery query) {
        Tenant tenant = filter.tenant();
        return inTurn(tenant, pages.atOnce(filter, query))
                .switchIfEmpty(failFast.run(pages.counts(filter, query))
                        .flatMap(counts -> inTurn(tenant, pages.read(filter, query, counts))));
    }

    private <T> Mono<T> inTurn(Tenant tenant, Mono<T> read) {
        return reads.list(tenant, failFast.run(read));
    }

    private static ListPage pageOfOne(List<Transaction> found, ListQuery query) {
        TransactionId after = query.after();
        if (after == null) {
            return ListPage.at(query.page(), Found.all(query.page() == 1 ? found : List.of()), found.size());
        }
        List<Transaction> rows =
                found.stream().filter(one -> one.id().compareTo(after) < 0).toList();
        return ListPage.after(query.page(), Found.all(rows), rows.size(), found.size());
    }
}
