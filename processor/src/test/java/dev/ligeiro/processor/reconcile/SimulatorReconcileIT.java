package dev.ligeiro.processor.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.SimulatorLedgerFields;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.support.RailProperties;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonDocumentWriter;
import org.bson.Document;
import org.bson.codecs.EncoderContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** The books of test mode, compared with the simulator's ledger of cashouts and refunds. */
class SimulatorReconcileIT {

    private static final String SIMULATOR = RailProperties.SIMULATOR;

    private final ReconciledBooks books = new ReconciledBooks(SIMULATOR);
    private final RailList list = new SimulatorListStore(books.database);
    private final Instant yesterday = books.since.plus(Duration.ofHours(2));

    @AfterEach
    void close() {
        books.close();
    }

    @Test
    void eachDifferenceIsItsBreakAndAllElseIsNone() {
        for (int i = 0; i < 1_500; i++) {
            // 700 of them at the same millisecond
            Instant at = yesterday.plusMillis(Math.max(0, i - 700));
            book(ledger("cashout", 5, "settled", at), -5, at);
        }
        UUID sentBack = ledger("cashout", 7_00, "sent_back", yesterday);
        book(sentBack, -7_00, yesterday);
        UUID returned = UUID.nameUUIDFromBytes(("return-" + sentBack).getBytes(StandardCharsets.UTF_8));
        books.post(SIMULATOR, returned.toString(), 7_00, yesterday, new TransactionId(sentBack));
        ledger("cashout", 8_00, "rejected", yesterday);
        book(ledger("refund", 9_00, "settled", yesterday), -9_00, yesterday);
        book(ledger("cashout", 1_00, "settled", books.since.minus(Duration.ofDays(3))), -1_00, yesterday);
        Transaction sandbox = paidBySandbox();
        book(sandbox.id().value(), -10_00, yesterday);

        UUID notBooked = ledger("cashout", 11_00, "settled", yesterday);
        UUID otherAmount = ledger("refund", 12_00, "settled", yesterday);
        book(otherAmount, -12_01, yesterday);
        UUID notListed = UUID.randomUUID();
        book(notListed, -13_00, yesterday);

        books.compareHours(list);
        books.compareDays(list);

        assertThat(books.open())
                .containsExactlyInAnyOrder(
                        "missing_here " + notBooked + " null -1100",
                        "amount " + otherAmount + " -1201 -1200",
                        "missing_there " + notListed + " -1300 null");
        assertThat(books.closed()).isEmpty();
        assertThat(books.unreconciled()).isZero();
    }

    private void book(UUID id, long cents, Instant at) {
        books.post(SIMULATOR, id.toString(), cents, at, new TransactionId(id));
    }

    private UUID ledger(String kind, long cents, String state, Instant at) {
        UUID id = UUID.randomUUID();
        Mono.from(books.database
                        .getCollection(CollectionNames.SIMULATOR_LEDGER)
                        .insertOne(new Document(SimulatorLedgerFields.ID, id)
                                .append(SimulatorLedgerFields.KIND, kind)
                                .append(SimulatorLedgerFields.TRANSACTION_ID, id)
                                .append(SimulatorLedgerFields.AMOUNT, cents)
                                .append(SimulatorLedgerFields.STATE, state)
                                .append(SimulatorLedgerFields.SUBMISSIONS, 1)
                                .append(SimulatorLedgerFields.FIRST_AT, Date.from(at))
                                .append(SimulatorLedgerFields.LAST_AT, Date.from(at))))
                .block(ReconciledBooks.TIMEOUT);
        return id;
    }

    private Transaction paidBySandbox() {
        Transaction paid = Transactions.cashout(TransactionId.at(yesterday), new Amount(10_00))
                .accept()
                .moveTo(Status.IN_PROCESS, yesterday, Source.SANDBOX)
                .moveTo(Status.PAID, yesterday, Source.SANDBOX);
        BsonDocument document = new BsonDocument();
        new TransactionCodec()
                .encode(
                        new BsonDocumentWriter(document),
                        paid,
                        EncoderContext.builder().build());
        Mono.from(books.database
                        .getCollection(CollectionNames.TRANSACTIONS, BsonDocument.class)
                        .insertMany(List.of(document)))
                .block(ReconciledBooks.TIMEOUT);
        return paid;
    }
}
