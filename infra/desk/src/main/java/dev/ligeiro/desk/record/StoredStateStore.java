package dev.ligeiro.desk.record;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.Transaction;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.bson.codecs.configuration.CodecRegistries;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.stereotype.Component;

/** Finds stored transactions. */
@Component
class StoredStateStore {

    /** A stored transaction can have 200 kB. */
    private static final int READ_MAX = 24;

    private static final long FIND_SECONDS_MAX = 5;

    private final MongoCollection<Transaction> transactions;

    StoredStateStore(MongoDatabaseFactory mongo) {
        MongoDatabase database = mongo.getMongoDatabase();
        this.transactions = database.withCodecRegistry(CodecRegistries.fromRegistries(
                        CodecRegistries.fromCodecs(new TransactionCodec()), database.getCodecRegistry()))
                .getCollection(CollectionNames.TRANSACTIONS, Transaction.class);
    }

    /** What {@code part} takes of each transaction with one of these ids that exists. */
    <T> Map<UUID, T> find(Collection<UUID> ids, Function<Transaction, T> part) {
        Map<UUID, T> found = new HashMap<>();
        if (!ids.isEmpty()) {
            transactions
                    .find(Filters.in(
                            TransactionFields.ID,
                            ids.stream().map(TransactionCodec::binary).toList()))
                    .batchSize(READ_MAX)
                    .maxTime(FIND_SECONDS_MAX, TimeUnit.SECONDS)
                    .forEach(transaction -> found.put(transaction.id().value(), part.apply(transaction)));
        }
        return found;
    }
}
