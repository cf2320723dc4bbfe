package dev.ligeiro.processor;

import com.mongodb.MongoClientSettings;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexModel;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.BreakFields;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.PostingFields;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.conversions.Bson;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A database with transactions, which is dropped at the end. The gateway creates the indexes in a running system. */
public class TestDatabase implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final String uri;
    private final MongoClient client;
    private final MongoDatabase database;
    private final MongoCollection<Transaction> transactions;
    private final Set<String> ids = ConcurrentHashMap.newKeySet();

    public TestDatabase(String name) {
        this.uri = TestBrokers.mongodbUri(name) + "&uuidRepresentation=standard";
        this.client = MongoClients.create(uri);
        this.database = client.getDatabase(name);
        this.transactions = database.getCollection(CollectionNames.TRANSACTIONS, Transaction.class)
                .withCodecRegistry(CodecRegistries.fromRegistries(
                        CodecRegistries.fromCodecs(new TransactionCodec()),
                        MongoClientSettings.getDefaultCodecRegistry()));
    }

    /** One of its own. */
    public TestDatabase() {
        this("processor_it_" + UUID.randomUUID());
    }

    public final String uri() {
        return uri;
    }

    public final MongoDatabase database() {
        return database;
    }

    public final void createIndexesOfDueWork() {
        create(
                CollectionNames.TRANSACTIONS,
                Stream.of(TransactionFields.DUE, TransactionFields.UNSETTLED_SINCE, TransactionFields.APPROVAL_SINCE)
                        .map(field -> index(field, new IndexOptions(), field, TransactionFields.ID))
                        .toArray(IndexModel[]::new));
    }

    public final void createIndexOfIdempotencyKeys() {
        create(
                CollectionNames.TRANSACTIONS,
                index(
                        TransactionFields.IDEMPOTENCY_KEYS,
                        new IndexOptions().unique(true),
                        TransactionFields.TENANT,
                        TransactionFields.IDEMPOTENCY_KEYS));
    }

    public final void createIndexesOfReconciliation() {
        create(
                CollectionNames.POSTINGS,
                index(
                        PostingFields.RAIL_ID,
                        new IndexOptions().name(PostingFields.RAIL_ID_INDEX),
                        PostingFields.RAIL_NAME,
                        PostingFields.RAIL_ID),
                index(
                        PostingFields.UNRECONCILED,
                        new IndexOptions().name(PostingFields.UNRECONCILED_INDEX),
                        PostingFields.RAIL_NAME,
                        PostingFields.AT));
        create(
                CollectionNames.BREAKS,
                index(
                        BreakFields.OPEN,
                        new IndexOptions().name(BreakFields.OPEN_INDEX),
                        BreakFields.SINCE,
                        BreakFields.ID));
    }

    private static IndexModel index(String present, IndexOptions options, String... fields) {
        return new IndexModel(Indexes.ascending(fields), options.partialFilterExpression(Filters.exists(present)));
    }

    private void create(String collection, IndexModel... indexes) {
        Flux.from(database.getCollection(collection).createIndexes(List.of(indexes)))
                .blockLast(TIMEOUT);
    }

    /** Inserts a transaction, as the gateway does before it sends the command. */
    public final Transaction stored(Transaction transaction) {
        insert(List.of(transaction));
        return transaction;
    }

    public final void insert(List<Transaction> added) {
        added.forEach(transaction -> ids.add(transaction.id().toString()));
        Mono.from(transactions.insertMany(added)).block(TIMEOUT);
    }

    /** Whether a transaction with this id was inserted. */
    public final boolean contains(String id) {
        return ids.contains(id);
    }

    public final Transaction read(TransactionId id) {
        return Mono.from(transactions.find(of(id))).blockOptional(TIMEOUT).orElseThrow();
    }

    /** Stores another state of a stored transaction. */
    public final void replace(Transaction changed) {
        Mono.from(transactions.replaceOne(of(changed.id()), changed)).block(TIMEOUT);
    }

    public final void update(TransactionId id, String update) {
        Mono.from(transactions.updateOne(of(id), BsonDocument.parse(update))).block(TIMEOUT);
    }

    private static Bson of(TransactionId id) {
        return Filters.eq(TransactionFields.ID, TransactionCodec.binary(id.value()));
    }

    @Override
    public void close() {
        Mono.from(database.drop()).block(TIMEOUT);
        client.close();
    }
}
