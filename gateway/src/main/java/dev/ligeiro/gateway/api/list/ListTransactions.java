package dev.ligeiro.gateway.api.list;

import dev.ligeiro.gateway.api.list.match.Filter;
import dev.ligeiro.gateway.http.limit.BoundedReads;
import dev.ligeiro.gateway.store.FailFast;
import dev.ligeiro.transaction.Tenant;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Reads one page of a list when it is the request's turn: of one transaction, or of the matches of a filter. */
@Component
class ListTransactions {

    private final ReadSingle single;
    private final ReadByCounts byCounts;
    private final BoundedReads reads;
    private final FailFast failFast;

    ListTransactions(ReadSingle single, ReadByCounts byCounts, BoundedReads reads, FailFast failFast) {
        this.single = single;
        this.byCounts = byCounts;
        this.reads = reads;
        this.failFast = failFast;
    }

    Mono<ListPage> page(Tenant tenant, ListQuery query) {
        return query.isSingle() ? inTurn(tenant, single.read(tenant, query)) : page(query.filter(tenant), query);
    }

    /** A list that waits for counts leaves its turn to the tenant's other lists. */
    private Mono<ListPage> page(Filter filter, ListQuery query) {
        Tenant tenant = filter.tenant();
        return inTurn(tenant, byCounts.atOnce(filter, query))
                .switchIfEmpty(failFast.run(byCounts.counts(filter, query))
                        .flatMap(counts -> inTurn(tenant, byCounts.read(filter, query, counts))));
    }

    private <T> Mono<T> inTurn(Tenant tenant, Mono<T> read) {
        return reads.list(tenant, failFast.run(read));
    }
}
