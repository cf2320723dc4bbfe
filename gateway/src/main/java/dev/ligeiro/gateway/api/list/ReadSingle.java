package dev.ligeiro.gateway.api.list;

import dev.ligeiro.gateway.api.list.match.Found;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.transaction.TransactionSnapshot;
import java.util.List;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Reads one page of a list with an identifier or a reference, which has at most one transaction. */
@Component
class ReadSingle {

    private final SingleMatchStore store;

    ReadSingle(SingleMatchStore store) {
        this.store = store;
    }

    Mono<ListPage> read(Tenant tenant, ListQuery query) {
        return store.find(tenant, query).map(found -> page(found, query));
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
}
