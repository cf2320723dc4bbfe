package dev.ligeiro.desk.transaction;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.in;
import static dev.ligeiro.store.TransactionFields.ID;
import static dev.ligeiro.store.TransactionFields.TENANT;

import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Indexes;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.support.mongo.AllShards;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.bson.BsonDocument;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.conversions.Bson;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.stereotype.Component;

/** Reads transactions by their ids. */
@Component
public class TransactionStore {

    private static final long READ_SECONDS_MAX = 5;
    /** A stored transaction can have 200 kB. */
    private static final int BATCH_SIZE = 24;

    private final MongoCollection<Transaction> transactions;

    TransactionStore(MongoTemplate mongo) {
        MongoDatabase database = mongo.getDb();
        this.transactions = database.getCollection(CollectionNames.TRANSACTIONS, Transaction.class)
                .withCodecRegistry(CodecRegistries.fromRegistries(
                        CodecRegistries.fromCodecs(new TransactionCodec()), database.getCodecRegistry()));
    }

    /** The transaction of any merchant: all shards are asked. */
    public Optional<Transaction> find(TransactionId id) {
        return Optional.ofNullable(read(Transaction.class, eq(ID, id.value()))
                .comment(AllShards.OPERATOR)
                .first());
    }

    public Optional<Transaction> find(Tenant tenant, TransactionId id) {
        return Optional.ofNullable(read(Transaction.class, and(eq(ID, id.value()), eq(TENANT, tenant.key())))
                .first());
    }

    /** Those that exist, by their ids. */
    public Map<UUID, FoundTransaction> all(Collection<UUID> ids) {
        return read(BsonDocument.class, in(ID, ids))
                .projection(FoundTransaction.FIELDS)
                .comment(AllShards.OPERATOR)
                .into(new ArrayList<>())
                .stream()
                .flatMap(DecodeEach.of(CollectionNames.TRANSACTIONS, FoundTransaction::of))
                .collect(Collectors.toMap(FoundTransaction::id, Function.identity()));
    }

    /** What {@code part} takes of each of those that exist, by their ids. */
    public <T> Map<UUID, T> all(Collection<UUID> ids, Function<Transaction, T> part) {
        Map<UUID, T> parts = new HashMap<>();
        read(Transaction.class, in(ID, ids))
                .comment(AllShards.OPERATOR)
                .batchSize(BATCH_SIZE)
                .forEach(each -> parts.put(each.id().value(), part.apply(each)));
        return parts;
    }

    private <T> FindIterable<T> read(Class<T> form, Bson which) {
        return transactions
                .withDocumentClass(form)
                .find(which)
                .hint(Indexes.ascending(ID))
                .maxTime(READ_SECONDS_MAX, TimeUnit.SECONDS);
    }
}
