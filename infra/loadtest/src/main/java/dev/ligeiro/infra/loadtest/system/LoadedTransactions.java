package dev.ligeiro.infra.loadtest.system;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.ReadConcern;
import com.mongodb.WriteConcern;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.InsertManyOptions;
import com.mongodb.client.model.Sorts;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.SearchTokens;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.transaction.UuidV7;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.bson.Document;
import org.bson.UuidRepresentation;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.conversions.Bson;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The transactions in MongoDB: read with majority read concern for the audit, written for {@code --stored}. */
public final class LoadedTransactions implements AutoCloseable {

    private static final Duration ANSWER_MAX = Duration.ofSeconds(30);
    private static final Duration READ_MAX = Duration.ofMinutes(10);
    private static final Duration SCAN_MAX = Duration.ofHours(1);
    private static final int BATCH = 1_000;
    private static final int SCAN_BATCH = 10_000;
    private static final int BATCHES_AT_ONCE = 4;

    private final MongoClient client;
    private final MongoDatabase database;
    private final MongoCollection<Transaction> transactions;
    /** As the gateway writes search tokens. */
    private volatile long tokenDaysFrom;

    public LoadedTransactions(String mongodbUri) {
        ConnectionString address = new ConnectionString(mongodbUri);
        client = MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(address)
                .uuidRepresentation(UuidRepresentation.STANDARD)
                .build());
        database = client.getDatabase(Objects.requireNonNullElse(address.getDatabase(), "ligeiro"));
        transactions = database.getCollection(CollectionNames.TRANSACTIONS, Transaction.class)
                .withReadConcern(ReadConcern.MAJORITY)
                .withCodecRegistry(CodecRegistries.fromRegistries(
                        CodecRegistries.fromCodecs(new TransactionCodec(() -> tokenDaysFrom)),
                        database.getCodecRegistry()));
    }

    public Transaction get(TransactionId id) {
        Transaction found = Mono.from(
                        transactions.find(Filters.eq(TransactionFields.ID, TransactionCodec.binary(id.value()))))
                .block(ANSWER_MAX);
        return Objects.requireNonNull(found, () -> id + " is not stored");
    }

    /** Passes every transaction of the tenant created since then, in the order of their ids. */
    public void forEachSince(Tenant tenant, long epochMilli, Consumer<Transaction> take) {
        Flux.from(transactions.find(since(tenant, epochMilli)).batchSize(BATCH))
                .doOnNext(take)
                .then()
                .block(READ_MAX);
    }

    /** Passes all transactions of the tenant, in no order. Scans the documents: no index has a part in it. */
    public void forEach(Tenant tenant, Consumer<Transaction> take) {
        Flux.from(transactions
                        .find(Filters.eq(TransactionFields.TENANT, tenant.key()))
                        .hint(new Document("$natural", 1))
                        .batchSize(SCAN_BATCH))
                .doOnNext(take)
                .then()
                .block(SCAN_MAX);
    }

    /** The tenant's oldest transactions with this status. */
    public List<Transaction> oldest(Tenant tenant, Status status, int limit) {
        Bson filter = Filters.and(
                Filters.eq(TransactionFields.TENANT, tenant.key()),
                Filters.eq(TransactionFields.STATUS, status.code()));
        List<Transaction> found = Flux.from(transactions
                        .find(filter)
                        .sort(Sorts.ascending(TransactionFields.ID))
                        .limit(limit))
                .collectList()
                .block(ANSWER_MAX);
        return Objects.requireNonNull(found);
    }

    public long count(Tenant tenant) {
        return count(Filters.eq(TransactionFields.TENANT, tenant.key()));
    }

    /** How many of the tenant's transactions since then no processor has accepted. */
    public long countUnaccepted(Tenant tenant, long epochMilli) {
        return count(Filters.and(since(tenant, epochMilli), Filters.exists(TransactionFields.UNACCEPTED)));
    }

    /**
     * Adds transactions without messages to Kafka, and makes mongod write its cache to the data files.
     *
     * @param past the transaction with a number from 0; called by several threads
     * @param progress is told how many are stored, often
     */
    public void add(LongFunction<Transaction> past, long count, LongConsumer progress) {
        tokenDaysFrom = Objects.requireNonNull(
                        Mono.from(database.getCollection(CollectionNames.LEASES).find(Filters.eq(SearchTokens.DAYS_ID)))
                                .block(ANSWER_MAX),
                        "the gateway has not been ready yet")
                .getLong(SearchTokens.DAYS_FROM);
        MongoCollection<Transaction> unjournaled = transactions.withWriteConcern(WriteConcern.W1);
        InsertManyOptions unordered = new InsertManyOptions().ordered(false);
        Flux.range(0, Math.toIntExact((count + BATCH - 1) / BATCH))
                .flatMap(
                        batch -> Mono.fromCallable(() -> batch(past, batch, count))
                                .subscribeOn(Schedulers.parallel())
                                .flatMap(rows -> Mono.from(unjournaled.insertMany(rows, unordered))),
                        BATCHES_AT_ONCE)
                .timeout(ANSWER_MAX)
                .scan(0L, (added, result) -> added + result.getInsertedIds().size())
                .doOnNext(progress::accept)
                .blockLast();
        Mono.from(client.getDatabase("admin").runCommand(new Document("fsync", 1)))
                .block(READ_MAX);
    }

    private static List<Transaction> batch(LongFunction<Transaction> past, int batch, long count) {
        return LongStream.range((long) batch * BATCH, Math.min(count, (batch + 1L) * BATCH))
                .mapToObj(past)
                .toList();
    }

    public MongoDatabase database() {
        return database;
    }

    /** The version of mongod. */
    public String version() {
        Document info =
                Mono.from(database.runCommand(new Document("buildInfo", 1))).block(ANSWER_MAX);
        return info == null ? "unknown" : info.getString("version");
    }

    @Override
    public void close() {
        client.close();
    }

    private long count(Bson filter) {
        Long count = Mono.from(transactions.countDocuments(filter)).block(READ_MAX);
        return count == null ? 0 : count;
    }

    private static Bson since(Tenant tenant, long epochMilli) {
        return Filters.and(
                Filters.eq(TransactionFields.TENANT, tenant.key()),
                Filters.gte(TransactionFields.ID, TransactionCodec.binary(UuidV7.lowest(epochMilli))));
    }
}
