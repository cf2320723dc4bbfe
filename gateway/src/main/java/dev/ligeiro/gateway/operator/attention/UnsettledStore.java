package dev.ligeiro.gateway.operator.attention;

import static dev.ligeiro.store.TransactionFields.*;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Projections;
import com.mongodb.reactivestreams.client.MongoCollection;
import dev.ligeiro.gateway.store.LongReads;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.Date;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.UuidRepresentation;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Finds transactions with an unknown outcome by the index of them; the longest unknown first. A page reads at most 101 transactions. */
@Component
class UnsettledStore {

    private static final Bson INDEX = Indexes.ascending(UNSETTLED_SINCE, ID);

    private final MongoCollection<BsonDocument> transactions;

    UnsettledStore(LongReads reads) {
        this.transactions = reads.database().getCollection(CollectionNames.TRANSACTIONS, BsonDocument.class);
    }

    Mono<OperationsPage<Unsettled>> page(Instant sinceBefore, @Nullable PageCursor after) {
        int max = OperationsPage.ITEMS_MAX + 1;
        return Flux.from(transactions
                        .find(filter(sinceBefore, after))
                        .hint(INDEX)
                        .sort(INDEX)
                        .projection(Projections.include(TENANT, OPERATION, STATUS, UNSETTLED_SINCE, OPEN_CALLS))
                        .limit(max)
                        .batchSize(max))
                .map(UnsettledStore::unsettled)
                .collectList()
                .map(found -> OperationsPage.of(found, Unsettled::cursor));
    }

    private static Bson filter(Instant sinceBefore, @Nullable PageCursor after) {
        Bson old = Filters.lt(UNSETTLED_SINCE, Date.from(sinceBefore));
        if (after == null) {
            return old;
        }
        Date at = Date.from(after.at());
        return Filters.and(
                old,
                Filters.gte(UNSETTLED_SINCE, at),
                Filters.or(
                        Filters.gt(UNSETTLED_SINCE, at),
                        Filters.gt(ID, TransactionCodec.binary(UUID.fromString(after.id())))));
    }

    private static Unsettled unsettled(BsonDocument document) {
        return new Unsettled(
                new TransactionId(uuid(document, ID)),
                new Tenant(document.getInt64(TENANT).getValue()),
                document.getString(OPERATION).getValue(),
                document.getString(STATUS).getValue(),
                instant(document, UNSETTLED_SINCE),
                document.getArray(OPEN_CALLS).stream()
                        .map(BsonValue::asDocument)
                        .map(UnsettledStore::call)
                        .toList());
    }

    private static Unsettled.Call call(BsonDocument document) {
        return new Unsettled.Call(
                document.containsKey(REFUND) ? uuid(document, REFUND) : null,
                instant(document, SINCE),
                document.getInt32(SUBMISSIONS).getValue(),
                document.getInt32(INQUIRIES).getValue(),
                instant(document, DUE));
    }

    private static UUID uuid(BsonDocument document, String field) {
        return document.getBinary(field).asUuid(UuidRepresentation.STANDARD);
    }

    private static Instant instant(BsonDocument document, String field) {
        return Instant.ofEpochMilli(document.getDateTime(field).getValue());
    }
}
