package dev.ligeiro.gateway.api.list;

import com.mongodb.ReadConcern;
import com.mongodb.client.model.Filters;
import com.mongodb.reactivestreams.client.MongoCollection;
import dev.ligeiro.gateway.store.LongReads;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionSnapshot;
import java.util.List;
import org.bson.conversions.Bson;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Reads the one transaction that a list with an identifier or a reference can have. */
@Component
class SingleMatchStore {

    private final MongoCollection<Transaction> transactions;

    SingleMatchStore(LongReads reads) {
        this.transactions = reads.transactions().withReadConcern(ReadConcern.MAJORITY);
    }

    /**
     * The tenant's transaction that matches, if there is one. Its other conditions are checked here, so that the query is always a look-up
     * by a unique index.
     *
     * @param query with an identifier or a reference
     */
    Mono<List<TransactionSnapshot>> find(Tenant tenant, ListQuery query) {
        Bson unique = query.identifier() != null
                ? Filters.eq(
                        TransactionFields.ID,
                        TransactionCodec.binary(query.identifier().value()))
                : Filters.eq(TransactionFields.REFERENCE, query.reference());
        return Mono.from(transactions
                        .find(Filters.and(Filters.eq(TransactionFields.TENANT, tenant.key()), unique))
                        .first())
                .filter(found -> query.matches(tenant, found))
                .map(Transaction::snapshot)
                .map(List::of)
                .defaultIfEmpty(List.of());
    }
}
