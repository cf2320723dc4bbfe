package dev.ligeiro.processor.retain;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Updates;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.fixture.Deliveries;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.EventId;
import dev.ligeiro.pix.PixKey;
import dev.ligeiro.processor.TestDatabase;
import dev.ligeiro.processor.apply.BatchStores;
import dev.ligeiro.processor.decide.Update;
import dev.ligeiro.store.BucketVersionFields;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.DeliveryCodec;
import dev.ligeiro.store.EndpointFields;
import dev.ligeiro.store.ErasureFields;
import dev.ligeiro.store.RedactionFields;
import dev.ligeiro.store.SearchTokens;
import dev.ligeiro.store.StoredValues;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.support.mongo.LeaseStore;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Party;
import dev.ligeiro.transaction.Payer;
import dev.ligeiro.transaction.Redaction;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Settlement;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DeliveryId;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class RemovePersonalDataIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Instant CREATED = Instant.parse("2026-03-10T14:30:15.123Z");
    private static final Tenant LIVE = new Tenant(15);
    private static final Tenant OTHER_MERCHANT = new Tenant(18);
    private static final UUID ENDPOINT = UUID.fromString("6f8b8a37-9f4f-4f0e-8f8e-5a1f3ce5a0aa");
    private static final String TAX_ID = Transactions.PAYER.document();
    private static final Party ANOTHER = new Party("Ana Souza", "ana@example.org", "+5521912345678", "11144477735");

    /** Each way in which a document can have something of the person. */
    private static final List<String> PERSONAL = List.of(
            "Zoë",
            "Conceição",
            "zoe@example.com",
            "5511987654321",
            TAX_ID,
            "maria@example.com",
            "Order 77",
            "order 77",
            "Two shirts",
            "said of Zoe",
            "token=zoe");

    private final TestDatabase mongodb = new TestDatabase();
    private final MongoDatabase database = mongodb.database();
    private final LeaseStore leases = new LeaseStore(database);
    private final RedactionStore store = new RedactionStore(database);
    private final WaitingStore waiting = new WaitingStore(database);
    private @Nullable Integer days = 90;

    @BeforeEach
    void setUp() {
        for (String[] fields : List.of(
                new String[] {TransactionFields.TENANT, TransactionFields.ID},
                new String[] {TransactionFields.TENANT, TransactionFields.SEARCH, TransactionFields.ID})) {
            Mono.from(collection(CollectionNames.TRANSACTIONS).createIndex(Indexes.ascending(fields)))
                    .block(TIMEOUT);
        }
        insert(CollectionNames.MERCHANTS, new Document("number", 7L));
        insert(CollectionNames.MERCHANTS, new Document("number", 9L).append("retentionDays", 400));
    }

    @AfterEach
    void close() {
        mongodb.close();
    }

    @Test
    void afterTheRetentionNothingOfAPersonIsLeftInAnyCollection() {
        Transaction refunded = paid(id(0))
                .with(new Entry.RefundRequested(
                        new RefundId(new UUID(1, 2)),
                        new Amount(100),
                        Source.MERCHANT,
                        "return-1",
                        "Two shirts",
                        CREATED.plusSeconds(100),
                        null))
                .with(new Entry.RefundMade(new RefundId(new UUID(1, 2)), false, CREATED.plusSeconds(101)));
        Transaction cashout =
                cashout(id(1), Transactions.goldenCashout().terms().pixKey());
        mongodb.insert(List.of(refunded, cashout, paid(id(2), LIVE)));
        // of transactions from before tokens had their day
        mongodb.update(
                id(1),
                "{$set: {search: [%s, %s]}}"
                        .formatted(
                                numberLong(SearchTokens.document(TAX_ID)),
                                numberLong(SearchTokens.platform(Transactions.PLATFORM))));
        assertThat(found(PERSONAL)).isNotEmpty();

        run(day(120));

        assertThat(found(PERSONAL)).isEmpty();
        assertThat(foundTokens()).isEmpty();
        assertThat(mongodb.read(refunded.id())).isEqualTo(Redaction.of(refunded));
        assertThat(mongodb.read(cashout.id())).isEqualTo(Redaction.of(cashout));
        assertThat(tokens(id(0)))
                .containsExactly(SearchTokens.stored(
                        SearchTokens.platform(Transactions.PLATFORM), BucketVersionFields.epochDay(id(0))));
        assertThat(tokens(id(1))).containsExactly(SearchTokens.platform(Transactions.PLATFORM));
        assertThat(raw(id(0)).get("fingerprint")).isEqualTo(TransactionCodec.fingerprint(Redaction.of(refunded)));
    }

    /** A field that a newer version has written stays. */
    @Test
    void unknownFieldsStay() {
        mongodb.stored(paid(id(0)));
        mongodb.update(id(0), "{$set: {later: 1}}");

        run(day(120));

        assertThat(raw(id(0)).getInt32("later").getValue()).isEqualTo(1);
        assertThat(mongodb.read(id(0)).terms().payer().wasRemoved()).isTrue();
    }

    @Test
    void eachMerchantHasItsOwnDays() {
        mongodb.insert(List.of(paid(id(0)), paid(id(1), OTHER_MERCHANT)));

        run(day(399));

        assertThat(removed(0)).isTrue();
        assertThat(removed(1)).isFalse();
        run(day(401));
        assertThat(removed(1)).isTrue();

        mongodb.stored(paid(id(2)));
        days = null;
        run(day(4_000));
        assertThat(removed(2)).isFalse();
    }

    @Test
    void whatCannotBeRemovedYetWaitsAndIsLookedAtAgain() {
        Transaction pending = Transactions.like(Transactions.cashin(id(0), new Amount(100)))
                .accepted(true)
                .build();
        Transaction late = paid(id(1)).moveTo(Status.REFUND, CREATED.plus(Duration.ofDays(119)), Source.RAIL);
        mongodb.insert(List.of(pending, late, paid(id(2))));

        run(day(120));

        assertThat(removed(0)).isFalse();
        assertThat(removed(1)).isFalse();
        assertThat(removed(2)).isTrue();
        assertThat(waits()).containsExactlyInAnyOrder("unsettled", "recent");

        mongodb.replace(pending.moveTo(Status.EXPIRED, CREATED.plus(Duration.ofDays(1)), Source.SYSTEM));
        run(day(128));
        assertThat(removed(0)).isTrue();
        assertThat(removed(1)).isTrue();
        assertThat(waits()).isEmpty();
        assertThat(found(PERSONAL)).isEmpty();
    }

    @Test
    void oneThatWaitsKeepsItsDataWhenItsMerchantGetsMoreDays() {
        mongodb.insert(List.of(
                paid(id(0)).moveTo(Status.REFUND, CREATED.plus(Duration.ofDays(119)), Source.RAIL),
                paid(id(1)).moveTo(Status.REFUND, CREATED.plus(Duration.ofDays(119)), Source.RAIL)));
        run(day(120));
        assertThat(waits()).containsExactly("recent", "recent");
        Mono.from(collection(CollectionNames.REDACTIONS)
                        .updateOne(
                                Filters.eq(TransactionCodec.binary(id(1).value())),
                                Updates.addToSet(RedactionFields.ERASURES, TransactionCodec.binary(new UUID(1, 1)))))
                .block(TIMEOUT);

        days = 200;
        run(day(130));
        assertThat(removed(0)).isFalse();
        assertThat(removed(1)).isTrue();
        days = null;
        run(day(250));
        assertThat(removed(0)).isFalse();

        days = 200;
        run(day(252));
        assertThat(removed(0)).isTrue();
    }

    @Test
    void aCrashBetweenTwoWritesRepeatsTheBatch() {
        mongodb.insert(List.of(paid(id(0)), paid(id(1))));
        List<RedactionStore.Found> read = store.next(Transactions.TENANT, null, day(100), 50)
                .collectList()
                .blockOptional(TIMEOUT)
                .orElseThrow();
        assertThat(store.redact(read).block(TIMEOUT)).isTrue();
        int version = mongodb.read(id(0)).version();

        run(day(120));

        assertThat(mongodb.read(id(0)).version()).isEqualTo(version);
        BsonDocument versions = bucketVersions(Transactions.TENANT);
        assertThat(versions)
                .containsKeys(
                        BucketVersionFields.INSERTS,
                        BucketVersionFields.VERSION,
                        BucketVersionFields.FIRST,
                        BucketVersionFields.minute(870),
                        BucketVersionFields.insertsOfMinute(870));
        // what is done is not read again
        Mono.from(collection(CollectionNames.BUCKET_VERSIONS).drop()).block(TIMEOUT);
        run(day(121));
        assertThat(dump(CollectionNames.BUCKET_VERSIONS)).isEmpty();
    }

    @Test
    void aTransactionThatChangesMeanwhileKeepsTheChange() {
        mongodb.stored(paid(id(0)));
        List<RedactionStore.Found> read = store.next(Transactions.TENANT, null, day(100), 50)
                .collectList()
                .blockOptional(TIMEOUT)
                .orElseThrow();
        Transaction changed = mongodb.read(id(0)).moveTo(Status.REFUND, CREATED.plusSeconds(90), Source.RAIL);
        mongodb.replace(changed);

        assertThat(store.redact(read).block(TIMEOUT)).isFalse();

        assertThat(mongodb.read(id(0))).isEqualTo(changed);
    }

    /** With the fault, a text that the transaction got meanwhile stayed for ever. */
    @Test
    void oneThatHasToWaitLongerMeanwhileStillWaits() {
        WaitingStore.Waiting one = new WaitingStore.Waiting(id(0), Transactions.TENANT);
        waiting.wait(List.of(new WaitingStore.Later(one, null, day(1)))).block(TIMEOUT);
        List<WaitingStore.Due> read =
                waiting.due(day(2), 50).collectList().blockOptional(TIMEOUT).orElseThrow();
        waiting.wait(List.of(new WaitingStore.Later(one, null, day(3)))).block(TIMEOUT);

        waiting.remove(read).block(TIMEOUT);

        assertThat(waiting.due(day(4), 50)
                        .map(WaitingStore.Due::one)
                        .collectList()
                        .block(TIMEOUT))
                .containsExactly(one);
    }

    @Test
    void whilePausedNothingIsRemoved() {
        mongodb.stored(paid(id(0)));
        pause(true);
        run(day(120));
        assertThat(removed(0)).isFalse();

        pause(false);
        run(day(120));
        assertThat(removed(0)).isTrue();
        assertThat(state().getInteger(RedactionFields.DAYS)).isEqualTo(90);
        assertThat(state().getLong(RedactionFields.REDACTED)).isEqualTo(1);
        assertThat(state().getDate(RedactionFields.ENDED_AT)).isNotNull();
    }

    /** With the fault, they stayed up to 30 days longer. */
    @Test
    void whatAnEndpointHasAnsweredToAnOldTransactionIsForgottenToo() {
        mongodb.stored(paid(id(0)).moveTo(Status.REFUND, day(75), Source.RAIL));
        answered(id(0), Transactions.TENANT);

        run(day(91));

        assertThat(removed(0)).isTrue();
        assertThat(dump(CollectionNames.DELIVERIES)).isNotEmpty().noneMatch(one -> one.contains("said of Zoe"));
    }

    @Test
    void anErasureFindsAPersonAtAllMerchantsAndEndsWhenAllAreFree() {
        days = null;
        PixKey key = PixKey.parse(PixKey.Type.CPF, TAX_ID);
        Transaction toKey = Transactions.like(cashout(id(1), key))
                .tenant(OTHER_MERCHANT)
                .payer(ANOTHER)
                .build();
        Transaction another = Transactions.like(paid(id(3))).payer(ANOTHER).build();
        mongodb.insert(List.of(paid(id(0)), toKey, paid(id(2), LIVE), another));
        answered(id(1), OTHER_MERCHANT);
        UUID erasure = confirmed();

        run(day(60));

        assertThat(removed(0)).isFalse();
        assertThat(removed(1)).isTrue();
        assertThat(removed(3)).isFalse();
        assertThat(waits()).containsExactly("refund_window", "refund_window");
        assertThat(erasure(erasure)).containsEntry(ErasureFields.STATE, "found").containsEntry(ErasureFields.FOUND, 3L);
        assertThat(erasure(erasure)).doesNotContainKey(ErasureFields.OPEN);
        assertThat(dump(CollectionNames.DELIVERIES)).isNotEmpty().noneMatch(one -> one.contains("said of Zoe"));

        run(day(91));

        assertThat(erasure(erasure)).containsEntry(ErasureFields.STATE, "ended");
        assertThat(removed(0)).isTrue();
        assertThat(removed(2)).isTrue();
        assertThat(removed(3)).isFalse();
        assertThat(mongodb.read(id(3)).terms().payer()).isEqualTo(ANOTHER);
        assertThat(found(List.of(TAX_ID, "zoe@example.com", "Conceição"))).isEmpty();
    }

    @Test
    void anErasureFindsWhoHasPaidTheCashinOfAnother() {
        days = null;
        Payer payer = Payer.of("Zoë Conceição", TAX_ID, "99999004");
        Transaction answered = ofAnother(id(0));
        Transaction reported = ofAnother(id(1)).moveTo(Status.PAID, CREATED.plusSeconds(60), Source.RAIL);
        Transaction own = Transactions.like(paid(id(2))).payer(ANOTHER).build();
        mongodb.insert(List.of(answered, reported, own));
        Settlement payment = new Settlement("E1", CREATED.plusSeconds(60), payer);
        write(
                answered,
                answered.with(new Entry.StatusChanged(
                        Status.PAID, CREATED.plusSeconds(60), Source.RAIL, null, payment, null)));
        write(reported, reported.with(new Entry.PayerNamed(Objects.requireNonNull(payer), CREATED.plusSeconds(90))));
        assertThat(tokens(id(0))).contains(SearchTokens.payer(TAX_ID));
        UUID erasure = confirmed();

        run(day(91));

        assertThat(erasure(erasure)).containsEntry(ErasureFields.STATE, "ended").containsEntry(ErasureFields.FOUND, 2L);
        assertThat(removed(2)).isFalse();
        assertThat(found(List.of(TAX_ID, "Conceição"))).isEmpty();
        assertThat(tokens(id(0))).doesNotContain(SearchTokens.payer(TAX_ID));
    }

    private static Transaction ofAnother(TransactionId id) {
        return Transactions.like(Transactions.cashin(id, new Amount(15_075)))
                .payer(ANOTHER)
                .build()
                .accept();
    }

    private void write(Transaction before, Transaction after) {
        BatchStores.transactions(database)
                .write(List.of(new Update(before, after, false)))
                .block(TIMEOUT);
    }

    /** With the fault, the text of a refund of a late payment stayed for ever. */
    @Test
    void whatIsWrittenAfterTheRemovalIsRemovedToo() {
        Transaction expired = ofAnother(id(0)).moveTo(Status.EXPIRED, CREATED.plusSeconds(60), Source.SYSTEM);
        mongodb.stored(expired);
        run(day(120));
        Transaction removed = mongodb.read(id(0));
        assertThat(removed.terms().payer().wasRemoved()).isTrue();
        RefundId refund = new RefundId(new UUID(1, 2));

        write(
                removed,
                removed.moveTo(Status.PAID, day(121), Source.RAIL)
                        .with(
                                new Entry.RefundRequested(
                                        refund,
                                        new Amount(15_075),
                                        Source.MERCHANT,
                                        null,
                                        "Two shirts",
                                        day(121),
                                        null),
                                new Entry.RefundMade(refund, true, day(121))));

        assertThat(found(PERSONAL)).isNotEmpty();
        run(day(130));
        assertThat(found(PERSONAL)).isEmpty();
        assertThat(waits()).isEmpty();
    }

    @Test
    void anErasureOfAnUnknownPersonEndsAtOnce() {
        UUID erasure = confirmed();

        run(day(60));

        assertThat(erasure(erasure)).containsEntry(ErasureFields.STATE, "ended").containsEntry(ErasureFields.FOUND, 0L);
        assertThat(found(List.of(TAX_ID))).isEmpty();
    }

    private static TransactionId id(int number) {
        UUID first = TransactionId.at(CREATED).value();
        return new TransactionId(new UUID(first.getMostSignificantBits() & ~0xFFFL | number, 0x8000_0000_0000_0000L));
    }

    private static Instant day(int number) {
        return CREATED.plus(Duration.ofDays(number));
    }

    private static Transaction paid(TransactionId id) {
        return paid(id, Transactions.TENANT);
    }

    private static Transaction paid(TransactionId id, Tenant tenant) {
        return Transactions.like(Transactions.cashin(id, new Amount(15_075)))
                .tenant(tenant)
                .returnUrl("https://shop.example/?token=zoe")
                .build()
                .accept()
                .moveTo(Status.PAID, CREATED.plusSeconds(60), Source.RAIL);
    }

    private static Transaction cashout(TransactionId id, @Nullable PixKey key) {
        return Transactions.like(Transactions.cashout(id, new Amount(15_075)))
                .pixKey(key)
                .build()
                .accept()
                .with(new Entry.StatusChanged(
                        Status.DENIED,
                        CREATED.plusSeconds(5),
                        Source.MERCHANT,
                        "not_approved",
                        null,
                        null,
                        "said of Zoe"));
    }

    /** The merchant's system has refused a webhook and repeated something of it. */
    private void answered(TransactionId id, Tenant tenant) {
        insert(
                CollectionNames.ENDPOINTS,
                new Document(EndpointFields.ID, ENDPOINT).append(EndpointFields.TENANT, tenant.key()));
        Delivery delivery = Deliveries.answered(new DeliveryId(ENDPOINT, new EventId(id, 2)), "said of Zoe");
        Mono.from(database.getCollection(CollectionNames.DELIVERIES, BsonDocument.class)
                        .insertOne(StoredValues.document(new DeliveryCodec(), delivery)))
                .block(TIMEOUT);
    }

    private UUID confirmed() {
        UUID id = TransactionId.at(CREATED).value();
        insert(
                CollectionNames.ERASURES,
                new Document(ErasureFields.ID, id)
                        .append(ErasureFields.OPEN, TAX_ID)
                        .append(ErasureFields.STATE, "confirmed"));
        return id;
    }

    private Document erasure(UUID id) {
        return Mono.from(collection(CollectionNames.ERASURES).find(Filters.eq(id)))
                .blockOptional(TIMEOUT)
                .orElseThrow();
    }

    private void run(Instant now) {
        Clock clock = Clock.fixed(now, ZoneOffset.UTC);
        new RemovePersonalData(
                        store,
                        waiting,
                        new ErasureStore(database),
                        BatchStores.versions(database, clock),
                        leases,
                        new RetentionProperties(days, Duration.ZERO, 100_000),
                        new SimpleMeterRegistry(),
                        clock)
                .run()
                .block(TIMEOUT);
    }

    private void pause(boolean isPaused) {
        Mono.from(collection(CollectionNames.LEASES)
                        .updateOne(
                                Filters.eq(RedactionFields.STATE),
                                new Document("$set", new Document(LeaseStore.PAUSED, isPaused)),
                                new com.mongodb.client.model.UpdateOptions().upsert(true)))
                .block(TIMEOUT);
    }

    private Document state() {
        return Mono.from(collection(CollectionNames.LEASES).find(Filters.eq(RedactionFields.STATE)))
                .blockOptional(TIMEOUT)
                .orElseThrow();
    }

    private boolean removed(int number) {
        return mongodb.read(id(number)).terms().payer().wasRemoved();
    }

    private List<String> waits() {
        return Flux.from(collection(CollectionNames.REDACTIONS).find())
                .map(found -> found.getString(RedactionFields.REASON))
                .collectList()
                .blockOptional(TIMEOUT)
                .orElseThrow();
    }

    private BsonDocument raw(TransactionId id) {
        return Mono.from(database.getCollection(CollectionNames.TRANSACTIONS, BsonDocument.class)
                        .find(Filters.eq(TransactionCodec.binary(id.value()))))
                .blockOptional(TIMEOUT)
                .orElseThrow();
    }

    private List<Long> tokens(TransactionId id) {
        return raw(id).getArray(TransactionFields.SEARCH).stream()
                .map(token -> token.asInt64().getValue())
                .toList();
    }

    private BsonDocument bucketVersions(Tenant tenant) {
        return Mono.from(database.getCollection(CollectionNames.BUCKET_VERSIONS, BsonDocument.class)
                        .find(Filters.eq(BucketVersionFields.id(tenant, BucketVersionFields.epochDay(id(0))))))
                .blockOptional(TIMEOUT)
                .orElseThrow();
    }

    /** The documents of all collections that have one of the texts: as JSON, or in their bytes. */
    private List<String> found(List<String> texts) {
        return Flux.from(database.listCollectionNames()).collectList().blockOptional(TIMEOUT).orElseThrow().stream()
                .flatMap(name -> dump(name).stream())
                .filter(document ->
                        texts.stream().anyMatch(text -> document.contains(text) || document.contains(bytes(text))))
                .toList();
    }

    private List<String> dump(String collection) {
        return Flux.from(database.getCollection(collection, RawBsonDocument.class)
                        .find())
                .map(document -> document.toJson() + bytes(document))
                .collectList()
                .blockOptional(TIMEOUT)
                .orElseThrow();
    }

    private static String bytes(RawBsonDocument document) {
        ByteBuffer buffer = document.getByteBuffer().asNIO();
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private static String bytes(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    /** The person's search tokens, with and without a day, that a document has in its bytes. */
    private List<String> foundTokens() {
        long day = BucketVersionFields.epochDay(id(0));
        List<String> tokens = Stream.of(
                        Stream.of(
                                SearchTokens.document(TAX_ID),
                                SearchTokens.phone(Transactions.PAYER.phone()),
                                SearchTokens.pixKey("maria@example.com")),
                        SearchTokens.words(Transactions.PAYER.name()).stream().map(SearchTokens::nameWord))
                .flatMap(each -> each)
                .flatMap(token -> Stream.of(token, SearchTokens.stored(token, day)))
                .map(token -> new String(
                        ByteBuffer.allocate(Long.BYTES)
                                .order(ByteOrder.LITTLE_ENDIAN)
                                .putLong(token)
                                .array(),
                        StandardCharsets.ISO_8859_1))
                .toList();
        return found(tokens);
    }

    private static String numberLong(long value) {
        return "{$numberLong: '" + value + "'}";
    }

    private void insert(String collection, Document document) {
        Mono.from(collection(collection).insertOne(document)).block(TIMEOUT);
    }

    private MongoCollection<Document> collection(String name) {
        return database.getCollection(name);
    }
}
