package dev.ligeiro.dispatcher.payload;

import static com.mongodb.client.model.Filters.in;

import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.util.Collection;
import java.util.List;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.codecs.DecoderContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;

/** Reads transactions, for the payloads of deliveries that are stored without one. */
@Component
class TransactionStore {

    private static final Logger LOG = LoggerFactory.getLogger(TransactionStore.class);
    private static final TransactionCodec CODEC = new TransactionCodec();

    private final MongoCollection<BsonDocument> transactions;

    TransactionStore(MongoDatabase database) {
        this.transactions = database.getCollection(CollectionNames.TRANSACTIONS, BsonDocument.class);
    }

    /** The transactions among {@code ids} that exist and can be decoded: one query by {@code _id}. */
    Flux<Transaction> find(Collection<TransactionId> ids) {
        List<BsonBinary> binaries =
                ids.stream().map(id -> TransactionCodec.binary(id.value())).toList();
        return Flux.from(transactions.find(in(TransactionFields.ID, binaries))).mapNotNull(TransactionStore::read);
    }

    /** Null for a malformed transaction, so that it does not stop the deliveries of the others. */
    private static @Nullable Transaction read(BsonDocument document) {
        try {
            return CODEC.decode(
                    document.asBsonReader(), DecoderContext.builder().build());
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
}
