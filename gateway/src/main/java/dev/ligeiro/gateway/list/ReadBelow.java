package dev.ligeiro.gateway.list;

import dev.ligeiro.gateway.limit.BoundedReads;
import dev.ligeiro.gateway.list.match.MatchStore;
import dev.ligeiro.gateway.list.match.Span;
import dev.ligeiro.gateway.mongo.FailFast;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Reads the transactions of a list from any place on, without counting. */
@Component
public class ReadBelow {

    private final ListStore store;
    private final MatchStore matches;
    private final BoundedReads reads;
    private final FailFast failFast;

    ReadBelow(ListStore store, MatchStore matches, BoundedReads reads, FailFast failFast) {
        this.store = store;
        this.matches = matches;
        this.reads = reads;
        this.failFast = failFast;
    }

    /**
     * The newest matching transactions.
     *
     * @param below only those with a lower id; null: from the newest one on
     */
    public Mono<List<Transaction>> read(Tenant tenant, ListQuery query, @Nullable TransactionId below, int limit) {
        return reads.export(tenant, failFast.run(rows(tenant, query, below, limit)));
    }

    private Mono<List<Transaction>> rows(Tenant tenant, ListQuery query, @Nullable TransactionId below, int limit) {
        Span span = below == null ? query.span() : query.span().below(below);
        return query.isSingle()
                ? store.find(tenant, query).map(found -> found.stream()
                        .filter(one -> span.contains(one.id()))
                        .toList())
                : matches.newest(query.filter(tenant), span, 0, limit);
    }
}
