package dev.ligeiro.gateway.api.list;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.event.CommandListener;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.gateway.api.list.Filter.Term;
import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.store.CollectionSetup;
import dev.ligeiro.gateway.store.TestLongReads;
import dev.ligeiro.store.BucketVersionFields;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.SearchTokens;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;
import org.bson.Document;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

/** A database with transactions of one tenant, which have a status and search tokens only, and what is known of them without MongoDB. */
final class CountedDatabase implements AutoCloseable {

    private static final Duration WAIT_MAX = Duration.ofSeconds(20);

    Tenant tenant = new Tenant(14);
    final NavigableMap<TransactionId, Known> known = new ConcurrentSkipListMap<>();
    final String name = RunningGateway.newDatabase();
    private final MongoClient client = MongoClients.create(settings().build());
    private final MongoDatabase database = client.getDatabase(name);
    private final Random random = new Random();

    CountedDatabase() {
        TestLongReads.over(client, name);
    }

    /** Without the transactions and counts of the test before, and with another tenant. */
    CountedDatabase reset() {
        known.clear();
        tenant = new Tenant(tenant.key() + 2);
        List.of(CollectionNames.TRANSACTIONS, CollectionSetup.LIST_COUNTS, CollectionNames.BUCKET_VERSIONS)
                .forEach(this::clear);
        return this;
    }

    private static MongoClientSettings.Builder settings() {
        return MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(TestBrokers.mongodbUri("admin")));
    }

    /** A client of its own, as each gateway has one. */
    MongoClient newClient(CommandListener listener) {
        return MongoClients.create(settings().addCommandListener(listener).build());
    }

    /** Adds transactions with these times of creation. */
    void insert(List<Instant> times, Status status, Long... tokens) {
        List<Document> documents = new ArrayList<>();
        for (Instant at : times) {
            TransactionId id = TransactionId.at(at);
            known.put(id, new Known(status, List.of(tokens)));
            documents.add(new Document(TransactionFields.ID, TransactionCodec.binary(id.value()))
                    .append(TransactionFields.TENANT, tenant.key())
                    .append(TransactionFields.STATUS, status.code())
                    .append(TransactionFields.AMOUNT, CENTS)
                    .append(
                            TransactionFields.SEARCH,
                            Stream.of(tokens)
                                    .map(token -> SearchTokens.stored(token, SearchTokens.day(id, 0)))
                                    .toList()));
        }
        run(database.getCollection(CollectionNames.TRANSACTIONS).insertMany(documents));
    }

    /** Changes the status, then replaces the versions, as the processor does. */
    void change(TransactionId id, Status status) {
        known.compute(id, (same, before) -> new Known(status, before.tokens()));
        run(database.getCollection(CollectionNames.TRANSACTIONS)
                .updateOne(
                        new Document(TransactionFields.ID, TransactionCodec.binary(id.value())),
                        new Document("$set", new Document(TransactionFields.STATUS, status.code()))));
        long version = random.nextLong();
        run(database.getCollection(CollectionNames.BUCKET_VERSIONS)
                .updateOne(
                        new Document(
                                BucketVersionFields.ID,
                                BucketVersionFields.id(tenant, BucketVersionFields.epochDay(id))),
                        new Document(
                                "$set",
                                new Document(BucketVersionFields.VERSION, version)
                                        .append(
                                                BucketVersionFields.minute(BucketVersionFields.minuteOfDay(id)),
                                                version))));
    }

    /** A transaction that MongoDB has stored late: Kafka got its command late too, so the processor replaces the versions. */
    void insertLate(Instant at, Status status) {
        insert(List.of(at), status);
        replaceAllVersions(TransactionId.at(at));
    }

    /** Removes the search tokens, then replaces the versions, as the processor does when personal data is removed. */
    void redact(TransactionId id) {
        known.compute(id, (same, before) -> new Known(before.status(), List.of()));
        run(database.getCollection(CollectionNames.TRANSACTIONS)
                .updateOne(
                        new Document(TransactionFields.ID, TransactionCodec.binary(id.value())),
                        new Document("$set", new Document(TransactionFields.SEARCH, List.of()))));
        replaceAllVersions(id);
    }

    private void replaceAllVersions(TransactionId id) {
        int minute = BucketVersionFields.minuteOfDay(id);
        long version = random.nextLong();
        run(database.getCollection(CollectionNames.BUCKET_VERSIONS)
                .updateOne(
                        new Document(
                                BucketVersionFields.ID,
                                BucketVersionFields.id(tenant, BucketVersionFields.epochDay(id))),
                        new Document(
                                        "$set",
                                        new Document(BucketVersionFields.VERSION, version)
                                                .append(BucketVersionFields.AT, new Date())
                                                .append(BucketVersionFields.minute(minute), version)
                                                .append(BucketVersionFields.INSERTS, version)
                                                .append(BucketVersionFields.insertsOfMinute(minute), version))
                                .append("$setOnInsert", new Document(BucketVersionFields.FIRST, random.nextLong())),
                        new UpdateOptions().upsert(true)));
    }

    /** The matching ids, found without MongoDB, the newest first. */
    List<TransactionId> matches(Filter filter, Span span) {
        return known.subMap(span.from(), true, span.before(), false).descendingMap().entrySet().stream()
                .filter(entry -> filter.terms().stream()
                        .allMatch(term -> entry.getValue().matches(term)))
                .map(Map.Entry::getKey)
                .toList();
    }

    TransactionId firstSince(Instant at) {
        return known.ceilingKey(
                Span.ofMillis(at.toEpochMilli(), Long.MAX_VALUE >>> 16).from());
    }

    void clear(String collection) {
        run(database.getCollection(collection).deleteMany(new Document()));
    }

    List<Document> all(String collection) {
        return run(database.getCollection(collection).find());
    }

    private static <T> List<T> run(Publisher<T> publisher) {
        return Flux.from(publisher).collectList().blockOptional(WAIT_MAX).orElseThrow();
    }

    @Override
    public void close() {
        run(database.drop());
        client.close();
    }

    /** The changeable and the searchable of a transaction. */
    /** The amount of each transaction. */
    static final long CENTS = 100;

    record Known(Status status, List<Long> tokens) {

        private boolean matches(Term term) {
            return term instanceof Filter.OfStatus of
                    ? of.status() == status
                    : term instanceof Filter.OfFields fields
                            ? fields.min() == null || fields.min().cents() <= CENTS
                            : term instanceof Filter.OfTokens any
                                    && tokens.stream().anyMatch(any.alternatives()::contains);
        }
    }
}
