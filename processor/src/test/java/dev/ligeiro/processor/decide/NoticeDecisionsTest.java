package dev.ligeiro.processor.decide;

import static dev.ligeiro.processor.decide.Situations.ALL;
import static dev.ligeiro.processor.decide.Situations.BY_ID;
import static dev.ligeiro.processor.decide.Situations.BY_RESUBMISSION;
import static dev.ligeiro.processor.decide.Situations.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.rail.RailFacts;
import dev.ligeiro.processor.rail.RailRequest;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class NoticeDecisionsTest {

    private final Transaction pending = Situations.at(Operation.CASHIN, Status.PENDING);

    @Test
    void anUnknownTransactionIsAnUnmatchedPaymentAndNoDeadLetter() {
        Batch batch = Situations.begin(Situations.notice(pending, "E1", ALL));

        assertThat(batch.unprocessable()).isEmpty();
        assertThat(batch.isComplete()).isTrue();
        assertThat(batch.unmatched())
                .containsExactly(Situations.unmatched(pending, "E1", ALL, UnmatchedPayment.Reason.UNKNOWN_TRANSACTION));
    }

    /** Banks repeat their notices, and catch-up reads the payments of the last half hour again. */
    @Test
    void aReportThatTellsNothingNewAsksNothing() {
        Transaction paid = Situations.at(Operation.CASHIN, Status.PAID);

        assertThat(decide(paid, report(paid, paid.endToEndId(), 0)).railRequest())
                .isNull();
        assertThat(decide(paid, report(paid, paid.endToEndId(), 1)).railRequest())
                .isNotNull();
        assertThat(decide(paid, report(paid, "E2", 0)).railRequest()).isNotNull();
        assertThat(decide(pending, report(pending, "E2", 0)).railRequest()).isNotNull();
    }

    /** A bank shows a payment minutes later, and catch-up reports it every 5 minutes. With the fault, only the first report was looked into. */
    @ParameterizedTest
    @EnumSource(names = {"EXPIRED", "CANCELED"})
    void aReportOfAnEndedCashinAsksAgainUntilTheRailTells(Status ended) {
        Transaction cashin = Situations.at(Operation.CASHIN, ended);
        TransactionCommand report = report(cashin, "E2", 0);
        Transaction asked = withoutAnswer(cashin, report, BY_ID, NOW);
        Transaction untold = Situations.decide(
                        asked,
                        Situations.answer(asked, RailCallKind.INQUIRE, 1, NOW, new RailOutcome.Pending()),
                        BY_ID,
                        NOW)
                .after();

        assertThat(decide(untold, report).railRequest()).isNotNull();
    }

    /** A notice has no amount, and the bank's own list has not named the payment yet. */
    @Test
    void aMereHintIsNeverRecorded() {
        TransactionCommand hint = Situations.notice(pending, "E1", null);
        TransactionCommand ofAnotherRail =
                new TransactionCommand.RailNotice(pending.id(), "other-bank", "E1", null, Amount.ZERO);

        assertThat(Situations.begin(hint).unmatched()).isEmpty();
        assertThat(Situations.begin(hint).unprocessable()).isEmpty();
        assertThat(decide(pending, ofAnotherRail)).isEqualTo(Decision.store(pending));
    }

    private static TransactionCommand report(Transaction transaction, String endToEndId, long returnedCents) {
        return new TransactionCommand.RailNotice(transaction.id(), "bank", endToEndId, ALL, new Amount(returnedCents));
    }

    /** A new transaction must not look accepted, and the rail call of a new cashout would be its submission. */
    @Test
    void aQuestionAboutANewCashoutLeavesItNew() {
        Transaction created = Situations.created(Operation.CASHOUT);
        Decision asked = decide(created, Situations.notice(created));

        assertThat(SubmissionDecisions.underWay(
                        new Context(asked.after(), BY_ID, NOW), Objects.requireNonNull(asked.railRequest())))
                .isSameAs(created);
    }

    /**
     * A charge is paid twice, and the second report comes while the rail is asked about the first. With the fault, the first answer ended
     * both questions: when the second answer was lost, the second payment was recorded nowhere.
     */
    @ParameterizedTest
    @MethodSource("firstAnswers")
    void anAnswerFromBeforeALaterReportDoesNotEndItsQuestion(RailOutcome first, RailFacts facts) {
        Instant reportedAgain = NOW.plusSeconds(1);
        Transaction asked = withoutAnswer(pending, Situations.notice(pending), facts, NOW);
        Transaction askedAgain = withoutAnswer(asked, Situations.notice(pending, "E2", ALL), facts, reportedAgain);

        Transaction answered = Situations.decide(
                        askedAgain, Situations.answer(asked, RailCallKind.INQUIRE, 1, NOW, first), facts, reportedAgain)
                .after();
        Transaction unknown = Situations.decide(
                        answered,
                        Situations.answer(asked, RailCallKind.INQUIRE, 1, reportedAgain, new RailOutcome.Unknown()),
                        facts,
                        reportedAgain)
                .after();

        assertThat(answered.railCall(null)).as("if the answer is lost").isPresent();
        assertThat(Situations.decide(unknown, Situations.dueCheck(unknown), facts, NOW.plusSeconds(60))
                        .railRequest())
                .isEqualTo(new RailRequest(
                        RailCallKind.INQUIRE, null, 1, unknown.history().sequence()));
        assertThat(Situations.decide(
                                unknown,
                                Situations.answer(
                                        unknown,
                                        RailCallKind.INQUIRE,
                                        1,
                                        NOW.plusSeconds(60),
                                        RailOutcome.Settled.asAgreed()),
                                facts,
                                NOW.plusSeconds(60))
                        .after()
                        .railCalls())
                .isEmpty();
    }

    static Stream<Arguments> firstAnswers() {
        return Stream.of(BY_ID, Situations.REMOTE).flatMap(facts -> Stream.of(
                        RailOutcome.Settled.asAgreed(),
                        Situations.surplus(RailOutcome.Settled.asAgreed()),
                        new RailOutcome.Pending(),
                        new RailOutcome.Rejected("removed"))
                .map(first -> Arguments.of(first, facts)));
    }

    /** The queue of the account may be full, so that the inquiry about the second report is not made. */
    @Test
    void anInquiryThatIsUnknownAtOnceKeepsTheQuestionOfItsReport() {
        Transaction asked = withoutAnswer(pending, Situations.notice(pending), BY_ID, NOW);
        CommandRun run = Situations.run(
                        asked, Situations.rules(BY_ID), NOW.plusSeconds(1), Situations.notice(pending, "E2", ALL))
                .written()
                .answered(new RailOutcome.Unknown(), NOW.plusSeconds(1));

        Transaction paid = Situations.decide(
                        run.decided(),
                        Situations.answer(asked, RailCallKind.INQUIRE, 1, NOW, RailOutcome.Settled.asAgreed()),
                        BY_ID,
                        NOW.plusSeconds(2))
                .after();

        assertThat(paid.status()).isEqualTo(Status.PAID);
        assertThat(paid.railCall(null)).isPresent();
    }

    @Test
    void theQuestionOfAReportOutlivesACancellation() {
        Transaction asked = withoutAnswer(pending, Situations.notice(pending), BY_ID, NOW);

        Transaction canceled = decide(asked, Situations.change(asked, new ChangeAction.Cancel()))
                .after();

        assertThat(canceled.status()).isEqualTo(Status.CANCELED);
        assertThat(Situations.decide(canceled, Situations.dueCheck(canceled), BY_ID, NOW.plusSeconds(60))
                        .railRequest())
                .isEqualTo(new RailRequest(RailCallKind.INQUIRE, null, 1, 2));
    }

    @Test
    void aQuestionAboutACanceledChargeIsAskedUntilItIsAnswered() {
        Transaction canceled = Situations.at(Operation.CASHIN, Status.CANCELED);
        Decision asked = decide(canceled, Situations.notice(canceled));

        Transaction waiting = RailDecisions.decide(
                        new Context(canceled, BY_ID, NOW),
                        Objects.requireNonNull(asked.railRequest()),
                        NOW,
                        new RailOutcome.Unknown())
                .after();

        assertThat(Situations.decide(waiting, Situations.dueCheck(waiting), BY_ID, NOW.plusSeconds(5))
                        .railRequest())
                .isEqualTo(new RailRequest(RailCallKind.INQUIRE, null, 1, 2));
    }

    /** The transaction's own rail knows nothing of money at another one. With the fault only the own rail was asked. */
    @ParameterizedTest
    @EnumSource
    void aReportOfAnotherRailIsKeptAsUnconfirmedAndNoRailIsAsked(Status status) {
        for (Operation operation : Operation.values()) {
            Transaction transaction = Situations.at(operation, possible(operation, status));
            TransactionCommand notice = new TransactionCommand.RailNotice(transaction.id(), "other-bank", "E1", ALL);

            assertThat(decide(transaction, notice))
                    .isEqualTo(Decision.unmatched(
                            transaction,
                            new UnmatchedPayment(
                                    "other-bank",
                                    "E1",
                                    transaction.id(),
                                    ALL,
                                    UnmatchedPayment.Reason.UNCONFIRMED,
                                    NOW)));
        }
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

        assertThat(Situations.decide(cashout, Situations.notice(cashout), BY_RESUBMISSION, NOW))
                .isEqualTo(Decision.store(cashout));
        assertThat(Situations.decide(notStarted, Situations.notice(notStarted), BY_ID, NOW)
                        .railRequest())
                .isEqualTo(new RailRequest(RailCallKind.INQUIRE, null, 1, 2));
    }

    /** The state after the command, while the rail has not answered the inquiry. */
    private static Transaction withoutAnswer(
            Transaction transaction, TransactionCommand command, RailFacts facts, Instant now) {
        return Situations.run(transaction, Situations.rules(facts), now, command)
                .written()
                .leftWithoutAnswer(now)
                .decided();
    }

    /** No accepted cashin is in process. */
    private static Status possible(Operation operation, Status status) {
        return operation == Operation.CASHIN && status == Status.IN_PROCESS ? Status.PENDING : status;
    }

    private static Decision decide(Transaction transaction, TransactionCommand command) {
        return Situations.decide(transaction, command, BY_ID, NOW);
    }
}
