package dev.ligeiro.processor.decide;

import static dev.ligeiro.processor.decide.Situations.ALL;
import static dev.ligeiro.processor.decide.Situations.BY_ID;
import static dev.ligeiro.processor.decide.Situations.BY_RESUBMISSION;
import static dev.ligeiro.processor.decide.Situations.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.message.RailCall;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.rail.RailRequest;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NoticeDecisionsTest {

    private final Transaction pending = Situations.at(Operation.CASHIN, Status.PENDING);

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

        assertThat(batch.unprocessable()).isEmpty();
        assertThat(batch.isComplete()).isTrue();
        assertThat(batch.strays())
                .containsExactly(new Stray("bank", "E1", pending.id(), ALL, Stray.Reason.UNKNOWN_TRANSACTION, NOW));
    }

    /** A report may be forged or wrong. Before, each of these was recorded on its word alone. */
    @ParameterizedTest
    @EnumSource
    void aReportOfAnythingInAnyStatusIsReadBackBeforeItIsAStray(Status status) {
        for (Operation operation : Operation.values()) {
            Transaction transaction = Situations.at(operation, possible(operation, status));
            for (TransactionCommand notice : List.of(
                    Situations.notice(transaction),
                    Situations.notice(transaction, "E2", ALL),
                    Situations.notice(transaction, "E2", new Amount(ALL.cents() - 1)))) {
                Decision decision = decide(transaction, notice);

                assertThat(decision.strays()).isEmpty();
                assertThat(decision.railRequest())
                        .isEqualTo(new RailRequest(
                                RailCall.INQUIRE, null, 1, transaction.history().sequence()));
            }
        }
    }

    /** A new transaction must not look accepted, and the open call of a new cashout would be its submission. */
    @Test
    void aQuestionAboutANewCashoutLeavesItNew() {
        Transaction created = Situations.created(Operation.CASHOUT);
        Decision asked = decide(created, Situations.notice(created));

        assertThat(SubmissionDecisions.underWay(asked.after(), Objects.requireNonNull(asked.railRequest()), BY_ID, NOW))
                .isSameAs(created);
    }

    @Test
    void aQuestionAboutACanceledChargeIsAskedUntilItIsAnswered() {
        Transaction canceled = Situations.at(Operation.CASHIN, Status.CANCELED);
        Decision asked = decide(canceled, Situations.notice(canceled));

        Transaction waiting = RailDecisions.decide(
                        canceled,
                        Objects.requireNonNull(asked.railRequest()),
                        NOW,
                        new RailOutcome.Unknown(),
                        BY_ID,
                        NOW)
                .after();

        assertThat(CommandRules.decide(waiting, Situations.look(waiting), BY_ID, NOW.plusSeconds(5))
                        .railRequest())
                .isEqualTo(new RailRequest(RailCall.INQUIRE, null, 1, 2));
    }

    @ParameterizedTest
    @EnumSource(names = {"DENIED", "CANCELED", "EXPIRED"})
    void aReportThatCannotBeReadBackIsKeptAsUnconfirmed(Status end) {
        Transaction cashout = Situations.at(Operation.CASHOUT, end);

        assertThat(CommandRules.decide(cashout, Situations.notice(cashout, "E1", ALL), BY_RESUBMISSION, NOW))
                .isEqualTo(Decision.stray(
                        cashout, new Stray("bank", "E1", cashout.id(), ALL, Stray.Reason.UNCONFIRMED, NOW)));
    }

    /** The transaction's own rail knows nothing of money at another one. With the fault only the own rail was asked. */
    @ParameterizedTest
    @EnumSource
    void aReportOfAnotherRailIsKeptAsUnconfirmedAndNoRailIsAsked(Status status) {
        for (Operation operation : Operation.values()) {
            Transaction transaction = Situations.at(operation, possible(operation, status));
            TransactionCommand notice = new TransactionCommand.RailNotice(transaction.id(), "other-bank", "E1", ALL);

            assertThat(decide(transaction, notice))
                    .isEqualTo(Decision.stray(
                            transaction,
                            new Stray("other-bank", "E1", transaction.id(), ALL, Stray.Reason.UNCONFIRMED, NOW)));
        }
    }

    @Test
    void aSecondPaymentThatCannotBeReadBackIsKeptAsUnconfirmed() {
        Transaction cashout = Situations.at(Operation.CASHOUT, Status.PAID);

        assertThat(CommandRules.decide(cashout, Situations.notice(cashout, "E2", ALL), BY_RESUBMISSION, NOW)
                        .strays())
                .extracting(Stray::reason)
                .containsExactly(Stray.Reason.UNCONFIRMED);
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

    /** No accepted cashin is in process. */
    private static Status possible(Operation operation, Status status) {
        return operation == Operation.CASHIN && status == Status.IN_PROCESS ? Status.PENDING : status;
    }

    private static Decision decide(Transaction transaction, TransactionCommand command) {
        return CommandRules.decide(transaction, command, BY_ID, NOW);
    }
}
