package dev.ligeiro.processor.rail.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.testing.time.TestClock;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Refund;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulatedRailTest {

    private final TestClock clock = TestClock.frozen();
    private final SimulatedBank bank = new SimulatedBank(clock);

    @ParameterizedTest
    @CsvSource({
        "CASHIN,       11, settled",
        "CASHIN,  1000011, settled",
        "CASHIN,       12, rejected",
        "CASHIN,       13, in_review",
        "CASHIN,       14, in_review",
        "CASHIN,       16, pending",
        "CASHIN,       18, pending",
        "CASHIN,     1100, pending",
        "CASHIN,    15075, pending",
        "CASHOUT,      11, settled",
        "CASHOUT,      12, rejected",
        "CASHOUT,      13, settled",
        "CASHOUT,      14, settled",
        "CASHOUT,      15, settled",
        "CASHOUT,      16, unknown",
        "CASHOUT,      17, unknown",
        "CASHOUT,      18, settled",
        "CASHOUT,   15075, settled",
    })
    void theCentsDecideTheFirstAnswer(Operation operation, long cents, String outcome) {
        assertThat(code(bank.submit(transaction(operation, cents)))).isEqualTo(outcome);
    }

    @ParameterizedTest
    @CsvSource({"13, settled", "14, rejected"})
    void theAnalysisOfACashinEndsAfterItsSpan(long cents, String outcome) {
        Transaction analysed =
                Transactions.cashin(new Amount(cents)).moveTo(Status.IN_ANALYSIS, clock.instant(), Source.RAIL);

        clock.move(Duration.ofMillis(999));
        assertThat(code(bank.inquire(analysed))).isEqualTo("in_review");

        clock.move(Duration.ofMillis(1));
        assertThat(code(bank.inquire(analysed))).isEqualTo(outcome);
    }

    @Test
    void onlyOneCashoutIsAnalysedAndMayBeSubmittedAfterwards() {
        Transaction cashout = transaction(Operation.CASHOUT, 13);
        assertThat(bank.facts().analysesFirst()).accepts(cashout);
        assertThat(bank.facts().analysesFirst())
                .rejects(transaction(Operation.CASHIN, 13), transaction(Operation.CASHOUT, 14));
        Transaction analysed = cashout.moveTo(Status.IN_ANALYSIS, clock.instant(), Source.RAIL);
        assertThat(code(bank.inquire(analysed))).isEqualTo("in_review");

        clock.move(Duration.ofSeconds(1));

        assertThat(code(bank.inquire(analysed))).isEqualTo("not_started");
        assertThat(bank.ledger.submissions(cashout.id().value())).isZero();
    }

    @ParameterizedTest
    @CsvSource({"12, rejected, 0", "16, settled, 1", "17, rejected, 0", "18, settled, 1", "00, settled, 1"})
    void anInquiryIsAnsweredFromTheLedger(long cents, String outcome, int moved) {
        Transaction cashout = transaction(Operation.CASHOUT, cents + 100);
        assertThat(code(bank.inquire(cashout))).isEqualTo("not_found");

        bank.submit(cashout);

        assertThat(code(bank.inquire(cashout))).isEqualTo(outcome);
        assertThat(bank.moved(cashout.id().value())).isEqualTo(moved);
    }

    @Test
    void theMoneyOf18ComesBackUnderTheSameIdEachTime() {
        Transaction cashout = transaction(Operation.CASHOUT, 1018);
        RailOutcome settled = new RailOutcome.Settled(
                null, List.of(new RailOutcome.Returned("return-" + cashout.id(), new Amount(1018))));

        assertThat(bank.submit(cashout)).isCompletedWithValue(settled);
        assertThat(bank.inquire(cashout)).isCompletedWithValue(settled);
    }

    @ParameterizedTest
    @CsvSource({"100, settled, settled", "112, rejected, rejected", "116, unknown, settled", "117, unknown, rejected"})
    void theCentsOfARefundDecideItsOutcome(long cents, String first, String later) {
        Transaction paid = Transactions.partlyRefundedCashin();
        Refund refund = new Refund(
                RefundId.at(clock.instant()),
                new Amount(cents),
                Refund.State.PROCESSING,
                Source.MERCHANT,
                null,
                null,
                clock.instant());
        assertThat(code(bank.inquireRefund(paid, refund))).isEqualTo("not_found");

        assertThat(code(bank.refund(paid, refund))).isEqualTo(first);
        assertThat(code(bank.inquireRefund(paid, refund))).isEqualTo(later);
    }

    @Test
    void chargesAreNotRecorded() {
        Transaction cashin = transaction(Operation.CASHIN, 11);

        bank.submit(cashin);

        assertThat(bank.ledger.submissions(cashin.id().value())).isZero();
    }

    private static String code(CompletableFuture<RailOutcome> answer) {
        assertThat(answer).isCompleted();
        return answer.join().code();
    }

    private static Transaction transaction(Operation operation, long cents) {
        return operation == Operation.CASHIN
                ? Transactions.cashin(new Amount(cents))
                : Transactions.cashout(new Amount(cents));
    }
}
