package dev.ligeiro.gateway.list;

import dev.ligeiro.gateway.limit.BoundedReads;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import java.util.List;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Reads one page of a list. A page in the older half is read from the oldest transaction on, so the last page is as fast as the first. */
@Component
class ListTransactions {

    private final ListStore store;
    private final MatchCounts counts;
    private final BoundedReads reads;

    ListTransactions(ListStore store, MatchCounts counts, BoundedReads reads) {
        this.store = store;
        this.counts = counts;
        this.reads = reads;
    }

    Mono<ListPage> page(Tenant tenant, ListQuery query) {
        return reads.list(tenant, store.whileReachable(read(tenant, query)));
    }

    private Mono<ListPage> read(Tenant tenant, ListQuery query) {
        ListFilter filter = ListFilter.of(tenant, query);
        Mono<Long> total = counts.of(tenant, query, filter);
        if (query.page() == 1) {
            return Mono.zip(
                    store.newest(filter, 0, ListQuery.PAGE_SIZE),
                    total,
                    (items, matches) -> new ListPage(items, 1, Math.max(matches, items.size())));
        }
        return total.flatMap(matches ->
                items(filter, query.page(), matches).map(items -> new ListPage(items, query.page(), matches)));
    }

    private Mono<List<Transaction>> items(ListFilter filter, int page, long total) {
        long skip = (page - 1L) * ListQuery.PAGE_SIZE;
        if (skip >= total) {
            return Mono.just(List.of());
        }
        int limit = (int) Math.min(ListQuery.PAGE_SIZE, total - skip);
        long olderThanPage = total - skip - limit;
        return olderThanPage < skip
                ? store.oldest(filter, Math.toIntExact(olderThanPage), limit)
                : store.newest(filter, Math.toIntExact(skip), limit);
    }
}
