package dev.ligeiro.dispatcher.attempt;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Filters.in;

import com.mongodb.client.model.Projections;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.DeliveryCodec;
import dev.ligeiro.store.DeliveryFields;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.webhook.DeliveryId;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Reads what payloads of stored deliveries are made of: transactions, and the stored payloads of test events. */
@Component
class PayloadStore {

    private static final Logger LOG = LoggerFactory.getLogger(PayloadStore.class);
    private static final TransactionCodec CODEC = new TransactionCodec();

    private final MongoCollection<RawBsonDocument> transactions;
    private final MongoCollection<BsonDocument> deliveries;

    PayloadStore(MongoDatabase database) {
        this.transactions = database.getCollection(CollectionNames.TRANSACTIONS, RawBsonDocument.class);
        this.deliveries = database.getCollection(CollectionNames.DELIVERIES, BsonDocument.class);
    }

    /**
     * The transactions among {@code ids} that exist and can be decoded: one query by {@code _id}. A transaction is decoded when it is asked
     * for: each may have 256 kB, and several times as much when it is decoded.
     */
    Flux<Transaction> transactions(Collection<TransactionId> ids) {
        List<BsonBinary> binaries =
                ids.stream().map(id -> TransactionCodec.binary(id.value())).toList();
        return Flux.from(transactions.find(in(TransactionFields.ID, binaries)))
                // not on the driver's thread: decoding and building payloads takes a while
                .publishOn(Schedulers.parallel())
                .mapNotNull(PayloadStore::read);
    }

    /** Null for a malformed transaction, so that it does not stop the deliveries of the others. */
    private static @Nullable Transaction read(RawBsonDocument document) {
        try {
            return document.decode(CODEC);
        } catch (RuntimeException unreadable) {
            LOG.atError()
                    .addKeyValue("event.action", "transaction_unreadable")
                    .addKeyValue(
                            "transaction_id",
                            document.getBinary(TransactionFields.ID).asUuid())
                    .addKeyValue("cause", unreadable.getClass().getSimpleName())
                    .log("A stored transaction cannot be read; webhooks about it are not sent");
            return null;
        }
    }

    /** The stored payloads: those of test events, which no transaction stands behind. */
    Mono<Map<DeliveryId, byte[]>> stored(Collection<DeliveryId> ids) {
        List<BsonBinary> binaries = ids.stream().map(DeliveryCodec::binary).toList();
        return Flux.from(deliveries
                        .find(and(in(DeliveryFields.ID, binaries), exists(DeliveryFields.BODY)))
                        .projection(Projections.include(DeliveryFields.BODY)))
                .collectMap(
                        document -> DeliveryId.of(
                                document.getBinary(DeliveryFields.ID).getData()),
                        document -> document.getBinary(DeliveryFields.BODY).getData());
    }
}
