package dev.ligeiro.processor.decide;

import static dev.ligeiro.processor.decide.Situations.ALL;
import static dev.ligeiro.processor.decide.Situations.BY_ID;
import static dev.ligeiro.processor.decide.Situations.BY_RESUBMISSION;
import static dev.ligeiro.processor.decide.Situations.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.message.RailCall;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.rail.RailRequest;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NoticeDecisionsTest {

    private final Transaction pending = Situations.at(Operation.CASHIN, Status.PENDING);
    private final Transaction paid = Situations.at(Operation.CASHIN, Status.PAID);

    @Test
    void aNoticeAloneChangesNothingButTheRailIsAsked() {
        assertThat(decide(pending, Situations.notice(pending))).isEqualTo(Decision.inquire(pending, null));
        assertThat(decide(pending, Situations.notice(pending, "E1", null))).isEqualTo(Decision.inquire(pending, null));
    }

    @Test
    void anUnknownTransactionIsAStrayAndNoDeadLetter() {
        Batch batch = Batch.begin(
                Batch.byTransaction(List.of(Situations.notice(pending, "E1", ALL))),
                Map.of(),
                transaction -> Optional.of(BY_ID),
                NOW);

        assertThat(batch.refused()).isEmpty();
        assertThat(batch.isComplete()).isTrue();
        assertThat(batch.strays()).containsExactly(stray("E1", ALL, Stray.Reason.UNKNOWN_TRANSACTION));
    }

    @Test
    void anotherAmountIsAStray() {
        Amount other = new Amount(ALL.cents() - 1);

        assertThat(decide(pending, Situations.notice(pending, "E1", other)))
                .isEqualTo(Decision.stray(pending, stray("E1", other, Stray.Reason.OTHER_AMOUNT)));
    }

    @Test
    void theSamePaymentAgainIsAskedForBecauseItsMoneyMayHaveMovedBack() {
        assertThat(decide(paid, Situations.notice(paid))).isEqualTo(Decision.inquire(paid, null));
    }

    @ParameterizedTest
    @EnumSource(names = {"PAID", "REFUND"})
    void anotherPaymentOfAPaidTransactionIsAStray(Status status) {
        Transaction once = Situations.at(Operation.CASHIN, status);

        assertThat(decide(once, Situations.notice(once, "E2", ALL)))
                .isEqualTo(Decision.stray(once, stray("E2", ALL, Stray.Reason.PAID_TWICE)));
    }

    @ParameterizedTest
    @EnumSource(names = {"CANCELED", "DENIED"})
    void aPaymentAfterTheEndIsAStray(Status end) {
        Transaction ended = Situations.at(Operation.CASHIN, end);

        assertThat(decide(ended, Situations.notice(ended, "E1", ALL)))
                .isEqualTo(Decision.stray(ended, stray("E1", ALL, Stray.Reason.PAID_AFTER_ITS_END)));
    }

    @ParameterizedTest
    @EnumSource(names = {"PENDING", "EXPIRED"})
    void aPaymentOfACashoutThatWasNeverSubmittedIsAStray(Status status) {
        Transaction cashout = Situations.at(Operation.CASHOUT, status);

        assertThat(decide(cashout, Situations.notice(cashout, "E1", ALL)))
                .isEqualTo(Decision.stray(cashout, stray("E1", ALL, Stray.Reason.NEVER_SUBMITTED)));
    }

    @Test
    void aNoticeAboutANewCashoutDoesNotKeepItFromItsStart() {
        Transaction created = Situations.created(Operation.CASHOUT);
        Transaction noticed = decide(created, Situations.notice(created)).after();

        assertThat(decide(noticed, Situations.process(created)).after().status())
                .isEqualTo(Status.IN_PROCESS);
    }

    /** A report is a hint: it must not send the money again. */
    @Test
    void aReportNeverSubmits() {
        Transaction cashout = Situations.at(Operation.CASHOUT, Status.IN_PROCESS);
        Transaction notStarted = cashout.with(Situations.call().notStarted(NOW.plusSeconds(5)));

        assertThat(CommandRules.decide(cashout, Situations.notice(cashout), BY_RESUBMISSION, NOW))
                .isEqualTo(Decision.store(cashout));
        assertThat(CommandRules.decide(notStarted, Situations.notice(notStarted), BY_ID, NOW)
                        .railRequest())
                .isEqualTo(new RailRequest(RailCall.INQUIRE, null, 1, 2));
    }

    @Test
    void aRailThatIsAskedByResubmissionIsNotAskedAboutAPaidCashout() {
        Transaction cashout = Situations.at(Operation.CASHOUT, Status.PAID);

        assertThat(CommandRules.decide(cashout, Situations.notice(cashout), BY_RESUBMISSION, NOW))
                .isEqualTo(Decision.store(cashout));
    }

    private Stray stray(String endToEndId, Amount amount, Stray.Reason reason) {
        return new Stray("bank", endToEndId, pending.id(), amount, reason, NOW);
    }

    private static Decision decide(Transaction transaction, TransactionCommand command) {
        return CommandRules.decide(transaction, command, BY_ID, NOW);
    }
}
