package dev.ligeiro.gateway.operator.attention;

import static dev.ligeiro.store.UnmatchedPaymentFields.*;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Indexes;
import com.mongodb.reactivestreams.client.MongoCollection;
import dev.ligeiro.gateway.store.LongReads;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.Date;
import org.bson.BsonDocument;
import org.bson.UuidRepresentation;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reads the unmatched payments that the processor has recorded, the oldest first, by an index over the time. */
@Component
class UnmatchedPaymentListStore {

    private static final Bson INDEX = Indexes.ascending(AT, ID);

    private final MongoCollection<BsonDocument> unmatched;

    UnmatchedPaymentListStore(LongReads reads) {
        this.unmatched = reads.database().getCollection(CollectionNames.UNMATCHED_PAYMENTS, BsonDocument.class);
    }

    Mono<OperationsPage<StoredUnmatchedPayment>> page(@Nullable PageCursor after) {
        int max = OperationsPage.ITEMS_MAX + 1;
        return Flux.from(unmatched.find(filter(after)).sort(INDEX).limit(max).batchSize(max))
                .map(UnmatchedPaymentListStore::unmatched)
                .collectList()
                .map(found -> OperationsPage.of(found, StoredUnmatchedPayment::cursor));
    }

    private static Bson filter(@Nullable PageCursor after) {
        if (after == null) {
            return Filters.empty();
        }
        Date at = Date.from(after.at());
        return Filters.and(Filters.gte(AT, at), Filters.or(Filters.gt(AT, at), Filters.gt(ID, after.id())));
    }

    private static StoredUnmatchedPayment unmatched(BsonDocument document) {
        return new StoredUnmatchedPayment(
                document.getString(ID).getValue(),
                document.getString(RAIL).getValue(),
                document.getString(END_TO_END_ID).getValue(),
                new TransactionId(document.getBinary(TRANSACTION_ID).asUuid(UuidRepresentation.STANDARD)),
                document.containsKey(AMOUNT)
                        ? new Amount(document.getInt64(AMOUNT).getValue())
                        : null,
                document.getString(REASON).getValue(),
                Instant.ofEpochMilli(document.getDateTime(AT).getValue()));
    }
}
