package dev.ligeiro.processor.due;

import com.mongodb.MongoClientSettings;
import com.mongodb.client.model.Filters;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.codecs.configuration.CodecRegistries;
import reactor.core.publisher.Mono;

/** A database of its own with transactions and without indexes. */
public final class DueCollection implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final String uri;
    private final MongoClient client;
    private final MongoDatabase database;
    private final MongoCollection<Transaction> transactions;
    private final Set<String> ids = new HashSet<>();

    public DueCollection(String name) {
        this.uri = TestBrokers.mongodbUri(name) + "&uuidRepresentation=standard";
        this.client = MongoClients.create(uri);
        this.database = client.getDatabase(name);
        this.transactions = database.getCollection(CollectionNames.TRANSACTIONS, Transaction.class)
                .withCodecRegistry(CodecRegistries.fromRegistries(
                        CodecRegistries.fromCodecs(new TransactionCodec()),
                        MongoClientSettings.getDefaultCodecRegistry()));
    }

    public String uri() {
        return uri;
    }

    public MongoDatabase database() {
        return database;
    }

    public void insert(List<Transaction> added) {
        added.forEach(transaction -> ids.add(transaction.id().toString()));
        Mono.from(transactions.insertMany(added)).block(TIMEOUT);
    }

    /** Whether a transaction with this id was inserted. */
    public boolean contains(String id) {
        return ids.contains(id);
    }

    public Transaction read(TransactionId id) {
        return Mono.from(transactions.find(Filters.eq("_id", TransactionCodec.binary(id.value()))))
                .blockOptional(TIMEOUT)
                .orElseThrow();
    }

    void replace(Transaction changed) {
        Mono.from(transactions.replaceOne(
                        Filters.eq("_id", TransactionCodec.binary(changed.id().value())), changed))
                .block(TIMEOUT);
    }

    public void update(TransactionId id, String update) {
        Mono.from(transactions.updateOne(
                        Filters.eq("_id", TransactionCodec.binary(id.value())), BsonDocument.parse(update)))
                .block(TIMEOUT);
    }

    @Override
    public void close() {
        Mono.from(database.drop()).block(TIMEOUT);
        client.close();
    }
}
