package dev.ligeiro.processor.books;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.Updates;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.BookEvent;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.processor.TestDatabase;
import dev.ligeiro.processor.apply.BatchStores;
import dev.ligeiro.processor.apply.UnmatchedPaymentStore;
import dev.ligeiro.processor.decide.RecordedPayment.Resolved;
import dev.ligeiro.processor.decide.UnmatchedPayment;
import dev.ligeiro.store.BalanceFields;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.PostingFields;
import dev.ligeiro.store.RebuildFields;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.support.mongo.LeaseStore;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Dispute;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.ResolutionDecision;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Whatever is written again, after a crash at any point, the balances have each posting once. */
class BookStoresIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Instant AT = Instant.parse("2026-03-10T23:59:59.500Z");

    private final TestDatabase mongodb = new TestDatabase();
    private final MongoDatabase database = mongodb.database();
    private final MongoCollection<BsonDocument> stored =
            database.getCollection(CollectionNames.POSTINGS, BsonDocument.class);
    private final PostingStore postings = new PostingStore(database);
    /** Of one process, which may take its own lease again. */
    private final LeaseStore leases = new LeaseStore(database);

    private final BalanceStore balances = new BalanceStore(database);

    @AfterEach
    void close() {
        mongodb.close();
    }

    @Test
    void aBatchThatIsReadAgainChangesNothing() {
        List<SourcedPosting> batch = paid(5, "t_0", 10);
        write(batch);
        List<BsonDocument> before = all();

        write(batch);
        write(batch.subList(2, 5));

        assertThat(all()).isEqualTo(before);
        assertThat(merchant()).isEqualTo(5 * 9_849);
    }

    @Test
    void aCrashBetweenPostingsAndBalancesLosesNothingWhateverTheNextBatchIs() {
        List<SourcedPosting> records = paid(6, "t_0", 10);
        write(records.subList(0, 2));
        postings.insert(records.subList(2, 4)).block(TIMEOUT);

        write(records.subList(1, 6));

        assertThat(merchant()).isEqualTo(6 * 9_849);
    }

    /** The return of a lost dispute's money: the merchant's account must not have one part without the other. */
    @Test
    void theTwoPostingsOfARecordAreAddedTogetherWhateverACrashHasLeft() {
        UUID dispute = new UUID(1, 2);
        RefundId refund = RefundId.ofRail("D1");
        Transaction returned = cashin(AT)
                .with(
                        new Entry.DisputeOpened(dispute, new Amount(10_000), "claimed", null, null, AT, "I1", null, AT),
                        new Entry.DisputeClosed(dispute, Dispute.Status.LOST, AT),
                        Entry.RefundRequested.byRail(refund, new Amount(10_000), null, AT),
                        new Entry.RefundMade(refund, true, AT));
        List<SourcedPosting> records = new ArrayList<>();
        for (int sequence = 2; sequence <= 5; sequence++) {
            long offset = sequence;
            PostingRules.of(TransactionEvent.of(returned, sequence))
                    .forEach(one -> records.add(new SourcedPosting(one, "t_0", offset)));
        }
        assertThat(records).extracting(SourcedPosting::offset).containsExactly(2L, 3L, 5L, 5L);
        write(records.subList(0, 2));
        assertThat(merchant()).isEqualTo(-151);
        postings.insert(records.subList(3, 4)).block(TIMEOUT);

        write(records.subList(2, 4));
        write(records);

        assertThat(merchant()).isEqualTo(-151);
        assertThat(sum(BalanceFields.id(Transactions.TENANT))
                        .getInt64(BalanceFields.BLOCKED)
                        .getValue())
                .isZero();
    }

    /** The update of a batch touches several balances, and a crash can come between them. */
    @Test
    void aCrashBetweenTwoBalancesLosesNothing() {
        List<SourcedPosting> records = paid(3, "t_0", 10);
        write(records.subList(0, 1));
        write(records);
        BsonDocument day = BalanceFields.id(Transactions.TENANT, BalanceFields.day(AT));
        Mono.from(balances().replaceOne(new BsonDocument("_id", day), dayAfterFirst(day)))
                .block(TIMEOUT);

        write(records);

        assertThat(merchant()).isEqualTo(3 * 9_849);
        assertThat(sum(BalanceFields.id(Transactions.TENANT, BalanceFields.day(AT)))
                        .getInt64(BalanceFields.MERCHANT)
                        .getValue())
                .isEqualTo(3 * 9_849);
    }

    private static BsonDocument dayAfterFirst(BsonDocument day) {
        return new BsonDocument("_id", day)
                .append(BalanceFields.MERCHANT, new BsonInt64(9_849))
                .append(BalanceFields.AT, new BsonDateTime(AT.toEpochMilli()))
                .append(BalanceFields.APPLIED, new BsonDocument("t_0", new BsonInt64(10)));
    }

    /** All by the processor's own update, so that they cost no write and are as exact as the balance. */
    @Test
    void aDayCountsItsPayments() {
        Transaction cashout = Transactions.cashout(TransactionId.at(AT), new Amount(10_000))
                .moveTo(Status.IN_PROCESS, AT, Source.SYSTEM)
                .moveTo(Status.PAID, AT, Source.RAIL);
        List<SourcedPosting> records = new ArrayList<>(paid(3, "t_0", 10));
        PostingRules.ofAll(cashout).forEach(one -> records.add(new SourcedPosting(one, "t_0", 10 + records.size())));

        write(records);
        write(records.subList(2, 5));

        BsonDocument day = sum(BalanceFields.id(Transactions.TENANT, BalanceFields.day(AT)));
        assertThat(day.getDocument(BalanceFields.PAID).toJson())
                .isEqualTo(
                        """
                        {"cashinCents": {"95": 30000}, "cashins": {"95": 3}, "cashoutCents": {"95": 10000}, \
                        "cashouts": {"95": 1}, "spans": {"23_0": 3}}""");
        assertThat(day.getBoolean(BalanceFields.COUNTED).getValue()).isTrue();
        assertThat(sum(BalanceFields.id(Transactions.TENANT))).doesNotContainKey(BalanceFields.PAID);
    }

    @Test
    void anEventThatWasSentTwiceIsOnePosting() {
        SourcedPosting first = paid(1, "t_0", 10).get(0);
        SourcedPosting again = new SourcedPosting(first.posting(), "t_0", 11);
        SourcedPosting elsewhere = new SourcedPosting(first.posting(), "t_7", 3);

        write(List.of(first, again));
        write(List.of(again, elsewhere));

        assertThat(merchant()).isEqualTo(9_849);
    }

    /** A statement shows what has a gross amount. */
    @Test
    void aCommissionAsHighAsTheAmountIsAnEntryAndAPaidCashoutIsNone() {
        Transaction small =
                Transactions.like(cashin(AT)).amount(new Amount(151)).build();
        Transaction cashout = Transactions.cashout(TransactionId.at(AT), new Amount(10_000))
                .moveTo(Status.IN_PROCESS, AT, Source.SYSTEM)
                .moveTo(Status.PAID, AT, Source.RAIL);
        Posting paid = PostingRules.ofAll(cashout).get(1);

        write(List.of(sourced(small, "t_0", 1), new SourcedPosting(paid, "t_0", 2)));

        List<BsonDocument> shown = Flux.from(stored.find(Filters.exists(PostingFields.GROSS)))
                .collectList()
                .blockOptional(TIMEOUT)
                .orElseThrow();
        assertThat(shown).hasSize(1);
        assertThat(shown.get(0).getInt64(PostingFields.GROSS).getValue()).isEqualTo(151);
        assertThat(shown.get(0).getInt64(PostingFields.COMMISSION).getValue()).isEqualTo(-151);
    }

    @Test
    void partitionsAreWrittenAtTheSameTime() {
        List<Mono<Void>> writes = IntStream.range(0, 8)
                .mapToObj(partition -> paid(20, "t_" + partition, 0))
                .map(batch -> postings.insert(batch).flatMap(balances::add))
                .toList();

        Flux.merge(writes).blockLast(TIMEOUT);

        assertThat(merchant()).isEqualTo(8 * 20 * 9_849);
    }

    /** A consumer that has lost its partition may still write. */
    @Test
    void twoConsumersOfOnePartitionAddEachPostingOnce() {
        List<SourcedPosting> records = paid(60, "t_0", 0);

        Mono.when(consumer(records, 20, 40, 60), consumer(records, 15, 45, 60), consumer(records, 60))
                .block(TIMEOUT);

        assertThat(merchant()).isEqualTo(60 * 9_849);
    }

    /** Reads the records in batches that end here, each until it is written. */
    private Mono<Void> consumer(List<SourcedPosting> records, int... ends) {
        Mono<Void> all = Mono.empty();
        int from = 0;
        for (int end : ends) {
            List<SourcedPosting> batch = records.subList(from, end);
            all = all.then(Mono.defer(() -> postings.insert(batch))
                    .flatMap(balances::add)
                    .retry(20));
            from = end;
        }
        return all;
    }

    @Test
    void aDaysBalanceHasItsQuartersOfAnHour() {
        write(List.of(sourced(cashin(AT), "t_0", 1), sourced(cashin(AT.plusSeconds(1)), "t_0", 2)));

        BsonDocument before = sum(BalanceFields.id(Transactions.TENANT, BalanceFields.day(AT)));
        BsonDocument after = sum(BalanceFields.id(Transactions.TENANT, BalanceFields.day(AT) + 1));

        assertThat(before.getDocument(BalanceFields.QUARTERS).toJson()).isEqualTo("{\"95\": 9849}");
        assertThat(after.getDocument(BalanceFields.QUARTERS).toJson()).isEqualTo("{\"0\": 9849}");
        assertThat(merchant()).isEqualTo(2 * 9_849);
    }

    @Test
    void aRebuildMakesWhatTheListenerMakes() {
        List<Transaction> transactions = new ArrayList<>();
        Tenant other = new Tenant(16);
        for (int i = 0; i < 130; i++) {
            Transaction cashin = cashin(AT.plusSeconds(i));
            transactions.add(Transactions.like(i % 5 == 0 ? refunded(cashin, AT.plusSeconds(i)) : cashin)
                    .tenant(i % 3 == 0 ? other : Transactions.TENANT)
                    .build());
        }
        mongodb.insert(transactions);
        long offset = 0;
        for (Transaction one : transactions) {
            for (Posting posting : PostingRules.ofAll(one)) {
                write(List.of(new SourcedPosting(posting, "t_" + offset % 3, offset++)));
            }
        }
        for (BookEvent event : unmatched(transactions.get(1))) {
            write(List.of(new SourcedPosting(PostingRules.of(event).get(0), "t_0", offset++)));
        }
        List<BsonDocument> projected = withoutSources();
        long written = Mono.from(stored.countDocuments()).blockOptional(TIMEOUT).orElseThrow();
        request("run-1");
        rebuild();
        assertThat(withoutSources()).isEqualTo(projected);
        assertThat(added()).isZero();

        Mono.from(stored.drop()).block(TIMEOUT);
        Mono.from(balances().drop()).block(TIMEOUT);
        request("run-2");
        rebuild();

        assertThat(withoutSources()).isEqualTo(projected);
        assertThat(added()).isEqualTo(written);
    }

    /** Of a payment that is credited, of one that is kept and whose transaction is unknown, and of an open one. */
    private List<BookEvent> unmatched(Transaction named) {
        UnmatchedPaymentStore store = BatchStores.unmatched(database);
        TransactionId unknown = TransactionId.at(AT.plusSeconds(500));
        store.record(List.of(payment("E1", named.id()), payment("E2", unknown), payment("E3", named.id())))
                .block(TIMEOUT);
        // a part of each is moved back before, and another part of the first one later
        Stream.of("bank/E1", "bank/E2", "bank/E3").forEach(id -> moveBack(store, id, "B1"));
        resolve(store, "bank/E1", new UUID(1, 1), ResolutionDecision.CREDIT, named, named.id());
        resolve(store, "bank/E2", new UUID(1, 2), ResolutionDecision.KEEP, named, unknown);
        moveBack(store, "bank/E1", "B2");
        return Stream.of("bank/E1", "bank/E2", "bank/E3")
                .flatMap(
                        id -> store
                                .find(id)
                                .blockOptional(TIMEOUT)
                                .orElseThrow()
                                .bookEvents(id.equals("bank/E2") ? null : named)
                                .stream())
                .toList();
    }

    private static void moveBack(UnmatchedPaymentStore store, String id, String movement) {
        store.find(id)
                .flatMap(found -> store.addReturned(
                        found, List.of(new RailOutcome.Returned(movement, new Amount(100))), AT.plusSeconds(7)))
                .block(TIMEOUT);
    }

    private static void resolve(
            UnmatchedPaymentStore store,
            String id,
            UUID resolution,
            ResolutionDecision decision,
            Transaction named,
            TransactionId of) {
        store.find(id)
                .flatMap(found ->
                        store.resolve(found, new Resolved(resolution, decision, named.tenant(), of, found.left(), AT)))
                .block(TIMEOUT);
    }

    private static UnmatchedPayment payment(String endToEndId, TransactionId named) {
        return new UnmatchedPayment("bank", endToEndId, named, new Amount(700), UnmatchedPayment.Reason.PAID_TWICE, AT);
    }

    /** The batch that is read again has a posting more, whose event the listener has not had yet. */
    @Test
    void aRebuildThatIsKilledBetweenItsWritesLosesNothingOfATransactionThatIsPaidMeanwhile() {
        List<Transaction> transactions = List.of(cashin(AT), cashin(AT.plusSeconds(1)));
        mongodb.insert(transactions);
        request("run-1");
        RebuildStore store = new RebuildStore(database);
        long begun = store.running()
                .flatMap(store::begin)
                .blockOptional(TIMEOUT)
                .orElseThrow()
                .batches();
        write(List.of(sourced(transactions.get(0), "rebuild_run-1", begun)));

        rebuild();

        assertThat(merchant()).isEqualTo(2 * 9_849);
    }

    @Test
    void aDamagedTransactionIsLeftOut() {
        List<Transaction> transactions = List.of(cashin(AT), cashin(AT.plusSeconds(1)), cashin(AT.plusSeconds(2)));
        mongodb.insert(transactions);
        Mono.from(database.getCollection(CollectionNames.TRANSACTIONS)
                        .updateOne(
                                Filters.eq("_id", transactions.get(1).id().value()),
                                Updates.unset(TransactionFields.HISTORY)))
                .block(TIMEOUT);
        request("run-1");

        rebuild();

        assertThat(merchant()).isEqualTo(2 * 9_849);
    }

    private void request(String run) {
        Document request = new Document(RebuildFields.RUN, run).append(RebuildFields.BATCHES, 0L);
        Mono.from(leases().replaceOne(
                                new Document("_id", RebuildFields.NAME), request, new ReplaceOptions().upsert(true)))
                .block(TIMEOUT);
    }

    /** As a processor does that is killed after its first batch, and then another one. */
    private void rebuild() {
        for (int i = 0; i < 2; i++) {
            new RebuildBooks(
                            new RebuildStore(database),
                            leases,
                            BatchStores.transactions(database),
                            BatchStores.unmatched(database),
                            postings,
                            balances,
                            Clock.systemUTC())
                    .run()
                    .block(TIMEOUT);
        }
    }

    private long added() {
        return Mono.from(leases().find(new Document("_id", RebuildFields.NAME)))
                .blockOptional(TIMEOUT)
                .map(found -> found.getLong(RebuildFields.ADDED))
                .orElseThrow();
    }

    private MongoCollection<Document> leases() {
        return database.getCollection(CollectionNames.LEASES);
    }

    private void write(List<SourcedPosting> batch) {
        postings.insert(batch).flatMap(balances::add).block(TIMEOUT);
    }

    /** Cashins that were paid, one a record. */
    private static List<SourcedPosting> paid(int count, String source, long firstOffset) {
        return IntStream.range(0, count)
                .mapToObj(i -> sourced(cashin(AT), source, firstOffset + i))
                .toList();
    }

    /** 100.00, of which the merchant gets 98.49. */
    private static Transaction cashin(Instant paidAt) {
        return Transactions.cashin(TransactionId.at(AT), new Amount(10_000)).moveTo(Status.PAID, paidAt, Source.RAIL);
    }

    private static Transaction refunded(Transaction paid, Instant at) {
        RefundId refund = new RefundId(UUID.randomUUID());
        return paid.with(
                new Entry.RefundRequested(refund, new Amount(5_000), Source.MERCHANT, null, null, at, null),
                new Entry.RefundMade(refund, false, at));
    }

    private static SourcedPosting sourced(Transaction paid, String source, long offset) {
        return new SourcedPosting(PostingRules.ofAll(paid).get(0), source, offset);
    }

    private long merchant() {
        return sum(BalanceFields.id(Transactions.TENANT))
                .getInt64(BalanceFields.MERCHANT)
                .getValue();
    }

    private BsonDocument sum(BsonDocument id) {
        return Mono.from(balances().find(new BsonDocument("_id", id)))
                .blockOptional(TIMEOUT)
                .orElseThrow();
    }

    private MongoCollection<BsonDocument> balances() {
        return database.getCollection(CollectionNames.BALANCES, BsonDocument.class);
    }

    private List<BsonDocument> all() {
        return Flux.concat(
                        stored.find().sort(new Document("_id", 1)),
                        balances().find().sort(new Document("_id", 1)))
                .collectList()
                .blockOptional(TIMEOUT)
                .orElseThrow();
    }

    private List<BsonDocument> withoutSources() {
        List<BsonDocument> all = all();
        all.forEach(one -> List.of(PostingFields.SOURCE, PostingFields.OFFSET, BalanceFields.APPLIED)
                .forEach(one::remove));
        // the fields of a balance are in the order in which they came
        return all.stream().map(BookStoresIT::sorted).toList();
    }

    private static BsonDocument sorted(BsonDocument document) {
        BsonDocument sorted = new BsonDocument();
        new TreeMap<>(document)
                .forEach((field, value) ->
                        sorted.append(field, value.isDocument() ? sorted(value.asDocument()) : value));
        return sorted;
    }
}
