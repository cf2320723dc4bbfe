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
import org.bson.codecs.configuration.CodecRegistries;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;

/** Reads transactions, for the payloads of deliveries that are stored without one. */
@Component
class TransactionStore {

    private final MongoCollection<Transaction> transactions;

    TransactionStore(MongoDatabase database) {
        this.transactions = database.getCollection(CollectionNames.TRANSACTIONS, Transaction.class)
                .withCodecRegistry(CodecRegistries.fromRegistries(
                        CodecRegistries.fromCodecs(new TransactionCodec()), database.getCodecRegistry()));
    }

    /** The transactions among {@code ids} that exist: one query by {@code _id}. */
    Flux<Transaction> find(Collection<TransactionId> ids) {
        List<BsonBinary> binaries =
                ids.stream().map(id -> TransactionCodec.binary(id.value())).toList();
        return Flux.from(transactions.find(in(TransactionFields.ID, binaries)));
    }
}
