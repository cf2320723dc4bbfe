package dev.ligeiro.processor.notice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.TransactionCommand.RailNotice;
import dev.ligeiro.processor.LiveTransactions;
import dev.ligeiro.processor.TestDatabase;
import dev.ligeiro.processor.apply.BatchStores;
import dev.ligeiro.processor.apply.UnmatchedPaymentStore;
import dev.ligeiro.processor.decide.RecordedPayment;
import dev.ligeiro.processor.decide.UnmatchedPayment;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.support.TransientFault;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Settlement;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class ReportPaymentsIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Amount TEN = new Amount(10_00);

    private final TestDatabase stored = new TestDatabase();
    private final UnmatchedPaymentStore unmatched = BatchStores.unmatched(stored.database());
    private final List<RailNotice> published = new ArrayList<>();
    private boolean kafkaIsAway;
    private final ReportPayments reports = reports(stored);

    @AfterEach
    void close() {
        stored.close();
    }

    @Test
    void aPaymentThatItsTransactionHasIsKnown() {
        Transaction paid = paid("E1");
        stored.insert(List.of(paid));

        assertThat(among(report(paid, "E1", TEN, 0))).isEmpty();
    }

    @Test
    void anotherPaymentAmountRailOrStatusIsNot() {
        Transaction paid = paid("E1");
        Transaction pending = cashin();
        stored.insert(List.of(paid, pending));
        RailNotice other = report(paid, "E2", TEN, 0);
        RailNotice more = report(paid, "E1", new Amount(11_00), 0);
        RailNotice elsewhere = new RailNotice(paid.id(), "other-bank", "E1", TEN, Amount.ZERO);
        RailNotice first = report(pending, "E3", TEN, 0);

        assertThat(among(other, more, elsewhere, first)).containsExactly(other, more, elsewhere, first);
    }

    /** A refund that the transaction does not have must never be lost with the payment that it has. */
    @Test
    void aPaymentIsKnownWithItsRefundsOnly() {
        Transaction paid = paid("E1");
        RefundId asked = new RefundId(UUID.randomUUID());
        Instant now = Instant.now();
        Transaction asks = paid("E2")
                .with(new Entry.RefundRequested(asked, new Amount(3_00), Source.MERCHANT, null, null, now, null));
        Transaction refunded = paid("E3")
                .with(new Entry.RefundRequested(asked, new Amount(3_00), Source.MERCHANT, null, null, now, null))
                .with(new Entry.RefundMade(asked, false, now));
        stored.insert(List.of(paid, asks, refunded));
        RailNotice unasked = report(paid, "E1", TEN, 3_00);
        RailNotice underWay = report(asks, "E2", TEN, 3_00);
        RailNotice second = report(refunded, "E3", TEN, 4_00);
        // before their transaction was found, as after a restored backup
        List.of(unasked, underWay, second).forEach(this::record);

        assertThat(among(unasked, underWay, second, report(refunded, "E3", TEN, 3_00)))
                .containsExactly(unasked, underWay, second);
    }

    @Test
    void aRecordedPaymentIsKnownWhileNoTransactionCanTakeIt() {
        Transaction paid = paid("E1");
        Transaction pending = cashin();
        stored.insert(List.of(paid, pending));
        TransactionId none = TransactionId.at(Instant.now());
        RailNotice unheardOf = new RailNotice(none, "bank", "E9", TEN, Amount.ZERO);
        RailNotice second = report(paid, "E2", TEN, 0);
        RailNotice open = report(pending, "E3", TEN, 0);
        List.of(unheardOf, second, open).forEach(this::record);
        RailNotice changed = new RailNotice(none, "bank", "E9", new Amount(11_00), Amount.ZERO);

        assertThat(among(unheardOf, second)).isEmpty();
        assertThat(among(open, changed)).containsExactly(open, changed);
    }

    /** With the fault, the report was that of a recorded payment, and what was moved back was lost. */
    @Test
    void whatIsMovedBackOfARecordedPaymentMarksIt() {
        RailNotice report = new RailNotice(TransactionId.at(Instant.now()), "bank", "E9", TEN, Amount.ZERO);
        record(report);
        RailNotice returned = new RailNotice(report.transactionId(), "bank", "E9", TEN, new Amount(3_00));

        assertThat(among(report)).isEmpty();
        assertThat(marked()).isEmpty();
        assertThat(among(returned)).isEmpty();
        RecordedPayment marked = marked().get(0);
        unmatched
                .addReturned(marked, List.of(new RailOutcome.Returned("B1", new Amount(3_00))), Instant.now())
                .flatMap(unmatched::returnsRead)
                .block(TIMEOUT);
        among(returned);
        assertThat(marked()).as("known now").isEmpty();
    }

    private List<RecordedPayment> marked() {
        return Objects.requireNonNull(
                unmatched.withReportedReturns(10).collectList().block(TIMEOUT));
    }

    /** With the fault, the whole list was published, and each payment of it cost a question to the bank. */
    @Test
    void nothingIsPublishedWhileMongodbIsAway() {
        TestDatabase away = new TestDatabase();
        away.close();
        ReportPayments without = reports(away);
        RailNotice report = report(paid("E1"), "E1", TEN, 0);

        assertThatThrownBy(() -> without.unknown(List.of(report)).block(TIMEOUT))
                .isInstanceOf(TransientFault.class);
    }

    @Test
    void theReportOfADamagedTransactionIsPublishedAlone() {
        Transaction paid = paid("E1");
        Transaction damaged = paid("E2");
        stored.insert(List.of(paid, damaged));
        stored.update(damaged.id(), "{'$set': {'%s': 'x'}}".formatted(TransactionFields.VERSION));
        RailNotice report = report(damaged, "E2", TEN, 0);

        assertThat(among(report(paid, "E1", TEN, 0), report)).containsExactly(report);
    }

    /** The first copy may have been answered by a bank that did not show the payment yet. */
    @Test
    void aReportIsPublishedAsOftenAsItComesAndAgainWhenKafkaDidNotTakeIt() {
        RailNotice report = report(paid("E1"), "E1", TEN, 0);
        reports.publish(List.of(report, report)).block(TIMEOUT);
        kafkaIsAway = true;
        assertThatThrownBy(() -> reports.publish(List.of(report)).block(TIMEOUT))
                .hasMessage("away");
        kafkaIsAway = false;
        reports.publish(List.of(report)).block(TIMEOUT);

        assertThat(published).containsExactly(report, report);
    }

    private ReportPayments reports(TestDatabase of) {
        return new ReportPayments(
                BatchStores.transactions(of.database()),
                BatchStores.unmatched(of.database()),
                report -> kafkaIsAway
                        ? Mono.error(new IllegalStateException("away"))
                        : Mono.fromRunnable(() -> published.add(report)));
    }

    private List<RailNotice> among(RailNotice... reports) {
        return Objects.requireNonNull(this.reports.unknown(List.of(reports)).block(TIMEOUT));
    }

    private void record(RailNotice report) {
        unmatched
                .record(List.of(new UnmatchedPayment(
                        report.rail(),
                        report.endToEndId(),
                        report.transactionId(),
                        report.amount(),
                        UnmatchedPayment.Reason.UNKNOWN_TRANSACTION,
                        Instant.now())))
                .block(TIMEOUT);
    }

    private static RailNotice report(Transaction transaction, String endToEndId, Amount amount, long returnedCents) {
        return new RailNotice(transaction.id(), "bank", endToEndId, amount, new Amount(returnedCents));
    }

    private static Transaction paid(String endToEndId) {
        Instant now = Instant.now();
        return cashin().with(new Entry.StatusChanged(
                Status.PAID, now, Source.RAIL, null, new Settlement(endToEndId, now), null));
    }

    private static Transaction cashin() {
        return LiveTransactions.of(Transactions.cashin(TEN)).accept();
    }
}
