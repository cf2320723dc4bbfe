package dev.ligeiro.gateway.list;

import dev.ligeiro.gateway.limit.BoundedReads;
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
    private final BoundedReads reads;

    ReadBelow(ListStore store, BoundedReads reads) {
        this.store = store;
        this.reads = reads;
    }

    /**
     * The newest matching transactions.
     *
     * @param below only those with a lower id; null: from the newest one on
     */
    public Mono<List<Transaction>> read(Tenant tenant, ListQuery query, @Nullable TransactionId below, int limit) {
        ListFilter filter = ListFilter.of(tenant, query);
        return reads.list(
                tenant, store.whileReachable(store.newest(below == null ? filter : filter.below(below), 0, limit)));
    }
}
