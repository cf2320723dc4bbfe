package dev.ligeiro.infra.loadtest;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.ReadConcern;
import com.mongodb.WriteConcern;
import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.InsertManyOptions;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.infra.client.DemoEnv;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.SearchTokens;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.transaction.UuidV7;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.bson.Document;
import org.bson.UuidRepresentation;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.conversions.Bson;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The transactions in MongoDB: read with majority read concern for the audit, written for {@code --stored}. */
final class LoadedTransactions implements AutoCloseable {

    private static final Duration ANSWER_MAX = Duration.ofSeconds(30);
    private static final Duration READ_MAX = Duration.ofMinutes(10);
    private static final int BATCH = 1_000;
    private static final int BATCHES_AT_ONCE = 4;
    private static final CountOptions SCAN = new CountOptions().hint(new Document("$natural", 1));

    private final MongoClient client;
    private final MongoDatabase database;
    private final MongoCollection<Transaction> transactions;
    /** As the gateway writes search tokens. */
    private volatile long tokenDaysFrom;

    LoadedTransactions(DemoEnv env) {
        ConnectionString address = new ConnectionString(env.mongodbUri());
        client = MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(address)
                .applyToSslSettings(ssl -> ssl.context(env.mongodbTrust()))
                .uuidRepresentation(UuidRepresentation.STANDARD)
                .build());
        database = client.getDatabase(Objects.requireNonNullElse(address.getDatabase(), "ligeiro"));
        transactions = database.getCollection(CollectionNames.TRANSACTIONS, Transaction.class)
                .withReadConcern(ReadConcern.MAJORITY)
                .withCodecRegistry(CodecRegistries.fromRegistries(
                        CodecRegistries.fromCodecs(new TransactionCodec(() -> tokenDaysFrom)),
                        database.getCodecRegistry()));
    }

    Transaction get(TransactionId id) {
        Bson byId = Filters.eq(TransactionFields.ID, TransactionCodec.binary(id.value()));
        return first(transactions.find(byId), ANSWER_MAX);
    }

    /** Passes every transaction of the tenant created since then, in the order of their ids. */
    void forEachSince(Tenant tenant, long epochMilli, Consumer<Transaction> take) {
        Flux.from(transactions.find(since(tenant, epochMilli)).batchSize(BATCH))
                .doOnNext(take)
                .then()
                .block(READ_MAX);
    }

    /** How many of the tenant's transactions since then no processor has accepted. */
    long countUnaccepted(Tenant tenant, long epochMilli) {
        Bson unaccepted = Filters.exists(TransactionFields.UNACCEPTED);
        return first(transactions.countDocuments(Filters.and(since(tenant, epochMilli), unaccepted)), READ_MAX);
    }

    /** Counts the tenant's documents that meet the condition in a scan: no index has a part in it. */
    long count(Tenant tenant, Bson condition) {
        Bson ofTenant = Filters.eq(TransactionFields.TENANT, tenant.key());
        return first(transactions.countDocuments(Filters.and(ofTenant, condition), SCAN), READ_MAX);
    }

    /** Adds transactions without messages to Kafka, and makes mongod write its cache to the data files. */
    void add(PastTransactions past) {
        tokenDaysFrom = first(
                        database.getCollection(CollectionNames.LEASES).find(Filters.eq(SearchTokens.DAYS_ID)),
                        ANSWER_MAX)
                .getLong(SearchTokens.DAYS_FROM);
        MongoCollection<Transaction> unjournaled = transactions.withWriteConcern(WriteConcern.W1);
        InsertManyOptions unordered = new InsertManyOptions().ordered(false);
        Flux.range(0, Math.toIntExact((past.count() + BATCH - 1) / BATCH))
                .flatMap(
                        batch -> Mono.fromCallable(() -> LongStream.range(
                                                (long) batch * BATCH, Math.min(past.count(), (batch + 1L) * BATCH))
                                        .mapToObj(past::get)
                                        .toList())
                                .subscribeOn(Schedulers.parallel())
                                .flatMap(rows -> Mono.from(unjournaled.insertMany(rows, unordered))),
                        BATCHES_AT_ONCE)
                .timeout(ANSWER_MAX)
                .blockLast();
        first(client.getDatabase("admin").runCommand(new Document("fsync", 1)), READ_MAX);
    }

    /** The counters of mongod since its start. */
    Document serverStatus() {
        return first(client.getDatabase("admin").runCommand(new Document("serverStatus", 1)), ANSWER_MAX);
    }

    /** The version of mongod. */
    String version() {
        return first(database.runCommand(new Document("buildInfo", 1)), ANSWER_MAX)
                .getString("version");
    }

    @Override
    public void close() {
        client.close();
    }

    private static <T> T first(Publisher<T> answer, Duration max) {
        return Objects.requireNonNull(Mono.from(answer).block(max), "not stored");
    }

    private static Bson since(Tenant tenant, long epochMilli) {
        return Filters.and(
                Filters.eq(TransactionFields.TENANT, tenant.key()),
                Filters.gte(TransactionFields.ID, TransactionCodec.binary(UuidV7.lowest(epochMilli))));
    }
}
