package dev.ligeiro.gateway.page.checkout;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.gateway.store.DecodeEach;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.TransactionId;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reads the statuses of many transactions in one query. */
@Component
class StatusStore {

    private final DecodeEach decode;
    private final MongoCollection<Document> transactions;

    StatusStore(MongoDatabase database, DecodeEach decode) {
        this.decode = decode;
        this.transactions = database.getCollection(CollectionNames.TRANSACTIONS);
    }

    /** The statuses of those that are no longer pending: nearly always few, and the others are not sent over the network. */
    Mono<Map<TransactionId, Status>> noLongerPending(List<TransactionId> ids) {
        return Flux.from(transactions
                        .find(Filters.and(
                                Filters.in(
                                        TransactionFields.ID,
                                        ids.stream()
                                                .map(id -> TransactionCodec.binary(id.value()))
                                                .toList()),
                                Filters.ne(TransactionFields.STATUS, Status.PENDING.code())))
                        .projection(Projections.include(TransactionFields.STATUS)))
                .mapNotNull(this::read)
                .collectMap(Map.Entry::getKey, Map.Entry::getValue);
    }

    /** Null if a newer version has written the status, for example: the page keeps the one that it shows. */
    private Map.@Nullable Entry<TransactionId, Status> read(Document found) {
        TransactionId id = new TransactionId(found.get(TransactionFields.ID, UUID.class));
        return decode.orNull(
                CollectionNames.TRANSACTIONS,
                id,
                () -> Map.entry(id, Status.fromCode(found.getString(TransactionFields.STATUS))));
    }
}
