package dev.ligeiro.processor.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.processor.decide.Change;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.StatusEvent.Source;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonDocumentWriter;
import org.bson.BsonString;
import org.bson.codecs.EncoderContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Bulk writes that combine many changes to one statement. */
class TransactionStoreIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final Instant NOW = Instant.parse("2026-03-10T14:31:00.456Z");
    private static final MongoClient CLIENT = MongoClients.create(TestBrokers.mongodbUri("processor_store_it"));
    private static final MongoDatabase DATABASE = CLIENT.getDatabase("processor_store_it");

    private final MongoCollection<BsonDocument> documents =
            DATABASE.getCollection(CollectionNames.TRANSACTIONS, BsonDocument.class);
    private final TransactionStore store = new TransactionStore(DATABASE);

    @AfterAll
    static void close() {
        CLIENT.close();
    }

    @Test
    void ofEqualChangesOnlyTheStaleOneIsAConflict() {
        List<Transaction> pending = stored(3);
        Transaction elsewhere = denied(pending.get(1));
        write(new Change(pending.get(1), elsewhere));

        Map<TransactionId, Optional<Transaction>> conflicts =
                write(pending.stream().map(one -> new Change(one, paid(one))).toArray(Change[]::new));

        assertThat(conflicts).containsOnly(Map.entry(elsewhere.id(), Optional.of(elsewhere)));
        assertThat(read(pending.get(0))).isEqualTo(paid(pending.get(0)));
        assertThat(read(pending.get(2))).isEqualTo(paid(pending.get(2)));
    }

    @Test
    void differentChangesAreAllMade() {
        List<Transaction> pending = stored(4);
        List<Transaction> after = List.of(
                paid(pending.get(0)),
                denied(pending.get(1)),
                pending.get(2).accept(),
                pending.get(3).moveTo(Status.DENIED, NOW, Source.RAIL, "another reason"));

        assertThat(write(IntStream.range(0, 4)
                        .mapToObj(i -> new Change(pending.get(i), after.get(i)))
                        .toArray(Change[]::new)))
                .isEmpty();

        assertThat(pending.stream().map(this::read)).containsExactlyElementsOf(after);
    }

    /** Two processors decide the same cashouts in the same millisecond, so their histories are identical. */
    @Test
    void exactlyOneOfTwoWritersMaySubmitACashout() {
        for (int round = 0; round < 20; round++) {
            List<Change> changes = stored(50, () -> Transactions.cashout(new Amount(15_075))).stream()
                    .map(one -> new Change(one, one.moveTo(Status.IN_PROCESS, NOW, Source.SYSTEM, null)))
                    .toList();

            List<TransactionId> refused = Flux.range(0, 2)
                    .flatMap(writer -> store.write(changes).subscribeOn(Schedulers.parallel()))
                    .flatMapIterable(Map::keySet)
                    .collectList()
                    .blockOptional(TIMEOUT)
                    .orElseThrow();

            assertThat(refused)
                    .containsExactlyInAnyOrderElementsOf(
                            changes.stream().map(Change::id).toList());
        }
    }

    @Test
    void aDocumentThatCannotBeUpdatedIsAPermanentFault() {
        List<Transaction> pending = new ArrayList<>(stored(3));
        Mono.from(documents.updateOne(
                        new BsonDocument(
                                TransactionFields.ID,
                                TransactionCodec.binary(pending.get(1).id().value())),
                        new BsonDocument("$set", new BsonDocument(TransactionFields.EVENTS, new BsonString("none")))))
                .block(TIMEOUT);

        assertThatThrownBy(() -> write(
                        pending.stream().map(one -> new Change(one, paid(one))).toArray(Change[]::new)))
                .isInstanceOf(MongoBulkWriteException.class)
                .hasMessageContaining("must be an array");
    }

    private static Transaction paid(Transaction pending) {
        return pending.moveTo(Status.PAID, NOW, Source.RAIL, null);
    }

    private static Transaction denied(Transaction pending) {
        return pending.moveTo(Status.DENIED, NOW, Source.RAIL, "rejected_by_rail");
    }

    private List<Transaction> stored(int count) {
        return stored(count, () -> Transactions.cashin(new Amount(15_011)));
    }

    private List<Transaction> stored(int count, Supplier<Transaction> next) {
        List<Transaction> transactions = Stream.generate(next).limit(count).toList();
        Mono.from(documents.insertMany(
                        transactions.stream().map(TransactionStoreIT::document).toList()))
                .block(TIMEOUT);
        return transactions;
    }

    private static BsonDocument document(Transaction transaction) {
        BsonDocument document = new BsonDocument();
        new TransactionCodec()
                .encode(
                        new BsonDocumentWriter(document),
                        transaction,
                        EncoderContext.builder().build());
        return document;
    }

    private Map<TransactionId, Optional<Transaction>> write(Change... changes) {
        return store.write(List.of(changes)).blockOptional(TIMEOUT).orElseThrow();
    }

    private Transaction read(Transaction transaction) {
        return store.load(List.of(transaction.id()))
                .map(found -> Optional.ofNullable(found.get(transaction.id())))
                .blockOptional(TIMEOUT)
                .flatMap(found -> found)
                .orElseThrow();
    }
}
