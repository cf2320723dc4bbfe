package dev.ligeiro.processor.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.ValidationOptions;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.Origin;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.store.BucketVersionFields;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.support.TransientFault;
import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class BucketVersionStoreIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Instant NOW = Instant.parse("2026-03-12T08:00:00Z");
    /** 2026-03-10T14:30. */
    private static final TransactionId AT_14_30 = Transactions.ID;

    private final String name = "bucket_version_store_it_" + UUID.randomUUID();
    private final MongoClient client = MongoClients.create(TestBrokers.mongodbUri(name));
    private final MongoDatabase database = client.getDatabase(name);
    private final MongoCollection<BsonDocument> versions =
            database.getCollection(CollectionNames.BUCKET_VERSIONS, BsonDocument.class);
    private final BucketVersionStore store = new BucketVersionStore(database, Clock.fixed(NOW, ZoneOffset.UTC));
    private final Origins origins = new Origins();

    @AfterEach
    void close() {
        client.close();
        try (MongoClient cleaner = MongoClients.create(TestBrokers.mongodbUri(name))) {
            Mono.from(cleaner.getDatabase(name).drop()).block(TIMEOUT);
        }
    }

    @Test
    void changesOfSeveralTenantsAndDaysReplaceTheVersionsOfEach() {
        Tenant other = new Tenant(16);
        TransactionId atMidnight = TransactionId.at(Instant.parse("2026-03-11T00:00:00Z"));
        TransactionId minuteLater = TransactionId.at(Instant.parse("2026-03-11T00:01:59.999Z"));
        BsonDocument first = create(Transactions.TENANT, AT_14_30);
        BsonDocument second = create(Transactions.TENANT, atMidnight);
        BsonDocument third = create(other, atMidnight);
        BsonDocument untouched = create(other, AT_14_30);

        replace(
                paid(Transactions.TENANT, AT_14_30),
                paid(Transactions.TENANT, atMidnight),
                paid(Transactions.TENANT, minuteLater),
                paid(other, atMidnight));

        assertThat(changed(first, read(Transactions.TENANT, AT_14_30)))
                .containsExactlyInAnyOrder(BucketVersionFields.VERSION, "m870", BucketVersionFields.AT);
        assertThat(changed(second, read(Transactions.TENANT, atMidnight))).contains("m0", "m1");
        assertThat(changed(third, read(other, atMidnight))).contains("m0").doesNotContain("m1");
        assertThat(read(other, AT_14_30)).isEqualTo(untouched);
    }

    /** However late the processor is. A closed client refuses every write. */
    @Test
    void aNewTransactionWhoseCommandCameInTimeNeedsNoWrite() {
        client.close();
        appended(AT_14_30, Duration.ofSeconds(8));
        // sent again, before the processor got to the first one
        appended(AT_14_30, Duration.ofMinutes(2));

        replace(created(AT_14_30));
    }

    /** MongoDB may have carried out its insert just before, after a gateway has counted its minute. */
    @Test
    void aTransactionWhoseCommandCameLateReplacesTheVersionsOfInsertsToo() {
        BsonDocument before = create(Transactions.TENANT, AT_14_30);
        TransactionId late = TransactionId.at(NOW.minusSeconds(9));
        appended(AT_14_30, Duration.ofMillis(8_001));
        appended(late, Duration.ofSeconds(9));

        replace(created(AT_14_30), created(late));

        assertThat(changed(before, read(Transactions.TENANT, AT_14_30)))
                .containsExactlyInAnyOrder(BucketVersionFields.VERSION, "m870", "i", "i870", BucketVersionFields.AT);
        // filters without a status have cached counts of days without a document
        assertThat(read(Transactions.TENANT, late))
                .containsKeys(BucketVersionFields.FIRST, BucketVersionFields.VERSION, "m479", "i", "i479");
    }

    /** The change is stored, so its command must not become a dead letter. */
    @Test
    void everyFaultIsTransient() {
        Mono.from(database.createCollection(
                        CollectionNames.BUCKET_VERSIONS,
                        new CreateCollectionOptions()
                                .validationOptions(new ValidationOptions()
                                        .validator(Filters.exists(BucketVersionFields.AT, false)))))
                .block(TIMEOUT);
        Mono.from(versions.insertOne(new BsonDocument(
                        BucketVersionFields.ID,
                        BucketVersionFields.id(Transactions.TENANT, BucketVersionFields.epochDay(AT_14_30)))))
                .block(TIMEOUT);

        assertThatThrownBy(() -> replace(paid(Transactions.TENANT, AT_14_30))).isInstanceOf(TransientFault.class);
    }

    @Test
    void aDayWithoutCachedCountsGetsNoVersions() {
        replace(paid(Transactions.TENANT, AT_14_30));

        assertThat(Mono.from(versions.countDocuments()).block(TIMEOUT)).isZero();
    }

    private void replace(TransactionEvent... events) {
        store.replace(List.of(events), origins).block(TIMEOUT);
    }

    private void appended(TransactionId id, Duration afterCreation) {
        origins.add(
                new TransactionCommand.Process(Transactions.cashin(id, new Amount(15075))),
                Origin.NONE,
                id.createdAt().plus(afterCreation));
    }

    private static TransactionEvent created(TransactionId id) {
        return TransactionEvent.of(Transactions.cashin(id, new Amount(15075)), 1);
    }

    private static TransactionEvent paid(Tenant tenant, TransactionId id) {
        return TransactionEvent.of(paidCashin(tenant, id), 2);
    }

    private static Transaction paidCashin(Tenant tenant, TransactionId id) {
        return Transactions.like(Transactions.cashin(id, new Amount(15075)))
                .tenant(tenant)
                .build()
                .moveTo(Status.PAID, NOW, Source.RAIL);
    }

    private BsonDocument create(Tenant tenant, TransactionId day) {
        BsonDocument created = new BsonDocument(
                        BucketVersionFields.ID, BucketVersionFields.id(tenant, BucketVersionFields.epochDay(day)))
                .append(BucketVersionFields.FIRST, new BsonInt64(1))
                .append(BucketVersionFields.VERSION, new BsonInt64(2))
                .append(BucketVersionFields.AT, new BsonDateTime(0));
        Mono.from(versions.insertOne(created)).block(TIMEOUT);
        return created;
    }

    private BsonDocument read(Tenant tenant, TransactionId day) {
        return Objects.requireNonNull(Mono.from(versions.find(Filters.eq(
                        BucketVersionFields.ID, BucketVersionFields.id(tenant, BucketVersionFields.epochDay(day)))))
                .block(TIMEOUT));
    }

    private static Set<String> changed(BsonDocument before, BsonDocument after) {
        return after.keySet().stream()
                .filter(field -> !Objects.equals(before.get(field), after.get(field)))
                .collect(Collectors.toSet());
    }
}
