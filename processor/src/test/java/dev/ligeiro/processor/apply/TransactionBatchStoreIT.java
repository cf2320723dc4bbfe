package dev.ligeiro.processor.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ConnectionString;
import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoClientSettings;
import com.mongodb.WriteConcern;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Updates;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandSucceededEvent;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.ProcessorMemoryBudget;
import dev.ligeiro.processor.decide.Conflicts;
import dev.ligeiro.processor.decide.Update;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.StoredValues;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Bulk writes that combine many updates to one statement. */
@Execution(ExecutionMode.SAME_THREAD)
class TransactionBatchStoreIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Instant NOW = Instant.parse("2026-03-10T14:31:00.456Z");
    private static final AtomicInteger LARGEST_FIND = new AtomicInteger();
    private static final MongoClient CLIENT = MongoClients.create(MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(TestBrokers.mongodbUri("processor_store_it")))
            .addCommandListener(new CommandListener() {
                @Override
                public void commandSucceeded(CommandSucceededEvent event) {
                    if (event.getCommandName().equals("find")) {
                        int bytes = new RawBsonDocument(event.getResponse(), new BsonDocumentCodec())
                                .getByteBuffer()
                                .remaining();
                        LARGEST_FIND.accumulateAndGet(bytes, Math::max);
                    }
                }
            })
            .build());
    private static final MongoDatabase DATABASE = CLIENT.getDatabase("processor_store_it");

    private final MongoCollection<BsonDocument> documents =
            DATABASE.getCollection(CollectionNames.TRANSACTIONS, BsonDocument.class);
    private final TransactionBatchStore store = new TransactionBatchStore(DATABASE);

    @AfterAll
    static void close() {
        CLIENT.close();
    }

    @Test
    void ofEqualChangesOnlyTheStaleOneIsAConflict() {
        List<Transaction> pending = stored(3);
        Transaction elsewhere = denied(pending.get(1));
        write(new Update(pending.get(1), elsewhere, false));

        Conflicts conflicts = write(
                pending.stream().map(one -> new Update(one, paid(one), false)).toArray(Update[]::new));

        assertThat(conflicts.stored()).containsOnly(Map.entry(elsewhere.id(), Optional.of(elsewhere)));
        assertThat(read(pending.get(0))).isEqualTo(paid(pending.get(0)));
        assertThat(read(pending.get(2))).isEqualTo(paid(pending.get(2)));
    }

    /** MongoDB shows a transaction to majority reads when it is in the journal, up to 100 ms after this insert. */
    @Test
    void theLatestReadMissesNothingThatIsStored() {
        for (int i = 0; i < 20; i++) {
            Transaction added = Transactions.cashin(new Amount(15_011));
            Mono.from(documents
                            .withWriteConcern(WriteConcern.W1.withJournal(false))
                            .insertOne(document(added)))
                    .block(TIMEOUT);

            assertThat(store.loadLatest(List.of(look(added)), ProcessorMemoryBudget.PART)
                            .blockOptional(TIMEOUT)
                            .orElseThrow()
                            .found())
                    .containsOnlyKeys(added.id());
        }
    }

    /** They share one statement, and a forged command may name the terms of another one of its batch. */
    @Test
    void eachCarriedTransactionIsComparedWithItsOwnTerms() {
        List<Transaction> pending =
                List.of(stored(Transactions.cashin(new Amount(100))), stored(Transactions.cashin(new Amount(999_900))));
        List<Update> updates = pending.stream()
                .map(one -> Transactions.like(one)
                        .amount(new Amount(999_900))
                        .commission(pending.get(1).terms().commission())
                        .build())
                .map(carried -> new Update(carried, paid(carried), true))
                .toList();

        Conflicts conflicts = write(updates.toArray(Update[]::new));

        assertThat(conflicts.stored()).containsOnly(Map.entry(pending.get(0).id(), Optional.of(pending.get(0))));
        assertThat(read(pending.get(1))).isEqualTo(paid(pending.get(1)));
    }

    /** A rail's report names no tenant; it is the only command for which all shards are asked. */
    @Test
    void aReportIsOfAnyTenant() {
        Transaction cashin = stored(Transactions.cashin(new Amount(100)));
        Transaction cashout = stored(Transactions.cashout(new Amount(100)));
        TransactionCommand report = new TransactionCommand.RailNotice(cashin.id(), "bank", "E1", null);

        assertThat(store.load(List.of(report, look(cashout)), ProcessorMemoryBudget.PART)
                        .blockOptional(TIMEOUT)
                        .orElseThrow()
                        .found())
                .containsOnlyKeys(cashin.id(), cashout.id());
    }

    @Test
    void aReadEndsWhenItsBytesAreUsedUp() {
        Transaction largest = Transactions.largest();
        AtomicInteger tenants = new AtomicInteger(1_000);
        List<Transaction> large = stored(20, () -> Transactions.like(largest)
                .tenant(new Tenant(tenants.incrementAndGet()))
                .createdAs(TransactionId.at(NOW))
                .history(largest.history())
                .build());
        Set<TransactionId> ids = large.stream().map(Transaction::id).collect(Collectors.toSet());
        int reads = 0;
        Set<TransactionId> read = new HashSet<>();
        while (read.size() < ids.size()) {
            List<TransactionCommand> left = large.stream()
                    .filter(one -> !read.contains(one.id()))
                    .map(TransactionBatchStoreIT::look)
                    .toList();
            TransactionBatchStore.Loaded loaded =
                    store.load(left, 1024 * 1024).blockOptional(TIMEOUT).orElseThrow();

            assertThat(loaded.found()).isNotEmpty().hasSizeLessThan(10);
            assertThat(loaded.unread()).hasSize(left.size() - loaded.found().size());
            read.addAll(loaded.found().keySet());
            reads++;
        }

        assertThat(reads).isBetween(3, 10);
    }

    @Test
    void differentChangesAreAllMade() {
        List<Transaction> pending = stored(4);
        List<Transaction> after = List.of(
                paid(pending.get(0)),
                denied(pending.get(1)),
                pending.get(2).accept(),
                pending.get(3)
                        .with(new Entry.StatusChanged(Status.DENIED, NOW, Source.RAIL, "another reason", null, null)));

        assertThat(write(IntStream.range(0, 4)
                        .mapToObj(i -> new Update(pending.get(i), after.get(i), false))
                        .toArray(Update[]::new)))
                .isEqualTo(Conflicts.NONE);

        assertThat(pending.stream().map(this::read)).containsExactlyElementsOf(after);
    }

    @Test
    void theRefusalsThatAHistoryNoLongerKeepsAreRemoved() {
        Transaction before = stored(1).get(0);
        for (int i = 0; i < 60; i++) {
            Transaction after = before.with(refusal(i));
            assertThat(write(new Update(before, after, false))).isEqualTo(Conflicts.NONE);
            assertThat(read(before)).isEqualTo(after);
            before = after;
        }

        Transaction refunded = paid(before)
                .with(
                        new Entry.RefundRequested(
                                Transactions.REFUND,
                                new Amount(100),
                                Source.MERCHANT,
                                null,
                                null,
                                NOW,
                                UUID.randomUUID().toString()),
                        refusal(60));
        assertThat(write(new Update(before, refunded, false))).isEqualTo(Conflicts.NONE);
        assertThat(read(before)).isEqualTo(refunded);
    }

    /** Two processors decide the same cashouts in the same millisecond, so their histories are identical. */
    @Test
    void exactlyOneOfTwoWritersMaySubmitACashout() {
        for (int round = 0; round < 20; round++) {
            List<Update> updates = stored(50, () -> Transactions.cashout(new Amount(15_075))).stream()
                    .map(one -> new Update(
                            one,
                            one.moveTo(Status.IN_PROCESS, NOW, Source.SYSTEM)
                                    .with(RailCall.first(null, NOW, NOW.plusSeconds(15))),
                            true))
                    .toList();

            List<TransactionId> refused = Flux.range(0, 2)
                    .flatMap(writer -> store.write(updates).subscribeOn(Schedulers.parallel()))
                    .flatMapIterable(conflicts -> conflicts.stored().keySet())
                    .collectList()
                    .blockOptional(TIMEOUT)
                    .orElseThrow();

            assertThat(refused)
                    .containsExactlyInAnyOrderElementsOf(
                            updates.stream().map(Update::id).toList());
        }
    }

    @Test
    void aDocumentThatCannotBeUpdatedIsAPermanentFault() {
        List<Transaction> pending = new ArrayList<>(stored(3));
        Mono.from(documents.updateOne(
                        new BsonDocument(
                                TransactionFields.ID,
                                TransactionCodec.binary(pending.get(1).id().value())),
                        new BsonDocument("$set", new BsonDocument(TransactionFields.HISTORY, new BsonString("none")))))
                .block(TIMEOUT);

        assertThatThrownBy(() -> write(pending.stream()
                        .map(one -> new Update(one, paid(one), false))
                        .toArray(Update[]::new)))
                .isInstanceOf(MongoBulkWriteException.class)
                .hasMessageContaining("must be an array");
    }

    @Test
    void aRailCallIsStoredWithItsDueTimeAndRemoved() {
        Transaction cashout =
                stored(1, () -> Transactions.cashout(new Amount(15_075))).get(0);
        Transaction submitted = cashout.moveTo(Status.IN_PROCESS, NOW, Source.SYSTEM)
                .with(RailCall.first(null, NOW, NOW.plusSeconds(15)));

        write(new Update(cashout, submitted, false));
        assertThat(read(cashout)).isEqualTo(submitted);
        assertThat(raw(cashout).getDateTime(TransactionFields.DUE).getValue())
                .isEqualTo(NOW.plusSeconds(15).toEpochMilli());

        Transaction paid = submitted.moveTo(Status.PAID, NOW, Source.RAIL).closeCall(null);
        write(new Update(submitted, paid, false));
        assertThat(read(cashout)).isEqualTo(paid);
        assertThat(raw(cashout)).doesNotContainKeys(TransactionFields.DUE, TransactionFields.RAIL_CALLS);
    }

    @Test
    void aRefusedRequestLeavesANewTransactionUnaccepted() {
        Transaction cashin = stored(1).get(0);
        Transaction refused = cashin.with(new Entry.ChangeRefused(new UUID(1, 1), "invalid_transition", NOW));

        assertThat(write(new Update(cashin, refused, false))).isEqualTo(Conflicts.NONE);

        assertThat(read(cashin)).isEqualTo(refused);
        assertThat(read(cashin).accepted()).isFalse();
    }

    /** With the fault it kept the key, and a create with it was answered 503 for ever. */
    @Test
    void aCancelHasItsIdempotencyKeyUntilItIsRefused() {
        for (boolean isRefunded : List.of(false, true)) {
            Transaction cashin = stored(1).get(0);
            Transaction canceling = cashin.with(RailCall.first(null, NOW, NOW.plusSeconds(15))
                    .canceling(new ChangeRef(new UUID(1, 1), "refused"), NOW.plusSeconds(15)));
            write(new Update(cashin, canceling, false));
            assertThat(keys(cashin)).containsExactly(new BsonString("refused"));

            Transaction paid = canceling
                    .with(
                            Entry.StatusChanged.to(Status.PAID, NOW, Source.RAIL),
                            new Entry.ChangeRefused(new UUID(1, 1), "invalid_transition", NOW))
                    .closeCall(null);
            Transaction after = isRefunded
                    ? paid.with(new Entry.RefundRequested(
                            Transactions.REFUND, new Amount(1), Source.MERCHANT, null, null, NOW, "refund"))
                    : paid;
            write(new Update(canceling, after, false));

            assertThat(read(cashin)).isEqualTo(after);
            if (isRefunded) {
                assertThat(keys(cashin)).containsExactly(new BsonString("refund"));
            } else {
                assertThat(raw(cashin)).doesNotContainKey(TransactionFields.IDEMPOTENCY_KEYS);
            }
        }
    }

    /** The index is the gateway's; without it the processor would not see the key. */
    @Test
    void anIdempotencyKeyThatAnotherTransactionOfTheTenantHasIsTaken() {
        Mono.from(documents.createIndex(
                        Indexes.ascending(TransactionFields.TENANT, TransactionFields.IDEMPOTENCY_KEYS),
                        new IndexOptions()
                                .unique(true)
                                .partialFilterExpression(Filters.exists(TransactionFields.IDEMPOTENCY_KEYS))))
                .block(TIMEOUT);
        String key = "key-" + UUID.randomUUID();
        List<Transaction> pending = stored(3);
        write(new Update(pending.get(0), canceled(pending.get(0), key), false));
        Mono.from(documents.updateOne(
                        Filters.eq(TransactionFields.IDEMPOTENCY_KEYS, key),
                        Updates.combine(
                                Updates.push(TransactionFields.IDEMPOTENCY_KEYS, "another"),
                                Updates.set("large", "x".repeat(180_000)))))
                .block(TIMEOUT);
        LARGEST_FIND.set(0);

        Conflicts conflicts = write(
                new Update(pending.get(1), canceled(pending.get(1), key), false),
                new Update(pending.get(2), canceled(pending.get(2), key + "-other"), false));

        assertThat(conflicts.keysTaken())
                .containsExactly(new Conflicts.TakenKey(pending.get(1).tenant(), key));
        assertThat(conflicts.stored()).containsOnly(Map.entry(pending.get(1).id(), Optional.of(pending.get(1))));
        assertThat(read(pending.get(2)).status()).isEqualTo(Status.CANCELED);
        assertThat(LARGEST_FIND).as("without the rest of the other transaction").hasValueBetween(1, 10_000);
    }

    private BsonArray keys(Transaction transaction) {
        return raw(transaction).getArray(TransactionFields.IDEMPOTENCY_KEYS);
    }

    private static Transaction canceled(Transaction pending, String key) {
        return pending.with(new Entry.StatusChanged(
                Status.CANCELED,
                NOW,
                Source.MERCHANT,
                null,
                null,
                new ChangeRef(pending.id().value(), key)));
    }

    private BsonDocument raw(Transaction transaction) {
        return Mono.from(documents
                        .find(new BsonDocument(
                                TransactionFields.ID,
                                TransactionCodec.binary(transaction.id().value())))
                        .first())
                .blockOptional(TIMEOUT)
                .orElseThrow();
    }

    private static Entry refusal(int number) {
        return new Entry.ChangeRefused(new UUID(1, number), "invalid_transition", NOW);
    }

    private static Transaction paid(Transaction pending) {
        return pending.moveTo(Status.PAID, NOW, Source.RAIL);
    }

    private static Transaction denied(Transaction pending) {
        return pending.with(new Entry.StatusChanged(Status.DENIED, NOW, Source.RAIL, "rejected_by_rail", null, null));
    }

    private Transaction stored(Transaction transaction) {
        return stored(1, () -> transaction).get(0);
    }

    private List<Transaction> stored(int count) {
        return stored(count, () -> Transactions.cashin(new Amount(15_011)));
    }

    private List<Transaction> stored(int count, Supplier<Transaction> next) {
        List<Transaction> transactions = Stream.generate(next).limit(count).toList();
        Mono.from(documents.insertMany(transactions.stream()
                        .map(TransactionBatchStoreIT::document)
                        .toList()))
                .block(TIMEOUT);
        return transactions;
    }

    private static BsonDocument document(Transaction transaction) {
        return StoredValues.document(new TransactionCodec(), transaction);
    }

    private static TransactionCommand look(Transaction transaction) {
        return new TransactionCommand.DueCheck(transaction.tenant(), transaction.id(), NOW);
    }

    private Conflicts write(Update... updates) {
        return store.write(List.of(updates)).blockOptional(TIMEOUT).orElseThrow();
    }

    private Transaction read(Transaction transaction) {
        return store.load(List.of(look(transaction)), ProcessorMemoryBudget.PART)
                .map(loaded -> Optional.ofNullable(loaded.found().get(transaction.id())))
                .blockOptional(TIMEOUT)
                .flatMap(found -> found)
                .orElseThrow();
    }
}
