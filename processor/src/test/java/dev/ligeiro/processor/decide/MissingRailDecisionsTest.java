package dev.ligeiro.processor.decide;

import static dev.ligeiro.processor.decide.Situations.ALL;
import static dev.ligeiro.processor.decide.Situations.BY_ID;
import static dev.ligeiro.processor.decide.Situations.EXPIRY;
import static dev.ligeiro.processor.decide.Situations.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.rail.RailRequest;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class MissingRailDecisionsTest {

    private static final Duration PAUSE = Duration.ofMinutes(1);

    private final Transaction sent = at(Operation.CASHOUT, Status.IN_PROCESS);

    @ParameterizedTest
    @EnumSource
    void aNewTransactionStaysNewAndCanBeCanceled(Operation operation) {
        Transaction created = named(Situations.created(operation));

        assertThat(decide(created, Situations.process(created))).isEqualTo(Decision.store(created));
        assertThat(decide(created, Situations.change(created, new ChangeAction.Cancel()))
                        .after()
                        .status())
                .isEqualTo(Status.CANCELED);
    }

    @ParameterizedTest
    @EnumSource
    void aNewTransactionExpiresBecauseNoRailKnowsIt(Operation operation) {
        Transaction created = named(Situations.created(operation));

        for (TransactionCommand command : List.of(Situations.process(created), Situations.dueCheck(created))) {
            assertThat(MissingRailDecisions.decide(created, command, EXPIRY)
                            .after()
                            .status())
                    .isEqualTo(Status.EXPIRED);
        }
    }

    /** The due work sends another command until a processor has the rail. */
    @Test
    void aRailCallAndACashinThatMayBePaidStayDue() {
        Transaction cashin = at(Operation.CASHIN, Status.PENDING);

        for (Transaction due : List.of(sent, cashin)) {
            assertThat(MissingRailDecisions.decide(due, Situations.dueCheck(due), EXPIRY))
                    .isEqualTo(Decision.store(due));
        }
    }

    @Test
    void aRefundWaitsAndIsSubmittedByAProcessorThatHasTheRail() {
        Transaction paid = at(Operation.CASHIN, Status.PAID);
        TransactionCommand refund = Situations.change(paid, Situations.refund(null));

        Decision decision = decide(paid, refund);
        Transaction waiting = decision.after();
        RefundId id = waiting.history().refunds().get(0).id();

        assertThat(decision.railRequest()).isNull();
        assertThat(waiting.railCalls())
                .containsExactly(
                        new RailCall(id, 1, false, false, NOW, null, 1, null, null, null, NOW.plus(PAUSE), null));
        assertThat(CommandRules.decide(waiting, Situations.dueCheck(waiting), BY_ID, NOW.plus(PAUSE))
                        .railRequest())
                .isEqualTo(new RailRequest(RailCallKind.SUBMIT, id, 2, 2));
        assertThat(decide(waiting, refund)).as("the same command again").isEqualTo(Decision.store(waiting));
    }

    @Test
    void anAnswerThatMoneyHasMovedIsApplied() {
        Transaction refunding = Situations.withRefund(at(Operation.CASHIN, Status.PAID), ALL);
        Transaction canceled = at(Operation.CASHIN, Status.CANCELED);
        RailOutcome settled = RailOutcome.Settled.asAgreed();

        assertThat(decide(sent, answer(sent, Situations.surplus(settled))))
                .isEqualTo(CommandRules.decide(sent, answer(sent, Situations.surplus(settled)), BY_ID, NOW));
        assertThat(decide(refunding, Situations.refundAnswer(refunding, RailCallKind.SUBMIT, settled))
                        .after()
                        .status())
                .isEqualTo(Status.REFUND);
        assertThat(decide(canceled, answer(canceled, settled)).unmatched())
                .containsExactly(new UnmatchedPayment(
                        "bank",
                        canceled.endToEndId(),
                        canceled.id(),
                        ALL,
                        UnmatchedPayment.Reason.PAID_AFTER_ITS_END,
                        NOW));
    }

    static List<RailOutcome> outcomesWithoutMoney() {
        return Situations.outcomes().stream()
                .filter(outcome -> !(outcome instanceof RailOutcome.Settled))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("outcomesWithoutMoney")
    void anyOtherAnswerLeavesTheCallOpen(RailOutcome outcome) {
        assertThat(decide(sent, answer(sent, outcome))).isEqualTo(Decision.store(sent));
    }

    @Test
    void aReportMakesTheRailBeAskedLaterOrIsKept() {
        Transaction paid = at(Operation.CASHIN, Status.PAID);
        Transaction ended = at(Operation.CASHOUT, Status.PAID);

        assertThat(decide(sent, Situations.notice(sent))).isEqualTo(Decision.store(sent));
        assertThat(decide(ended, Situations.notice(ended))).isEqualTo(Decision.store(ended));
        assertThat(decide(ended, Situations.notice(ended, "E2", ALL)).unmatched())
                .extracting(UnmatchedPayment::reason)
                .containsExactly(UnmatchedPayment.Reason.UNCONFIRMED);
        assertThat(decide(paid, Situations.notice(paid, "E2", ALL)).after().railCalls())
                .containsExactly(RailCall.first(null, NOW, NOW.plus(PAUSE)).reported(NOW, NOW.plus(PAUSE)));
    }

    @Test
    void anAnswerFromBeforeAReportDoesNotEndItsQuestion() {
        Transaction cashin = at(Operation.CASHIN, Status.PENDING);
        Transaction reported = decide(cashin, Situations.notice(cashin)).after();
        TransactionCommand earlier =
                Situations.answer(cashin, RailCallKind.INQUIRE, 1, NOW.minusMillis(1), RailOutcome.Settled.asAgreed());

        Transaction paid = decide(reported, earlier).after();

        assertThat(paid.status()).isEqualTo(Status.PAID);
        assertThat(paid.railCalls()).isEqualTo(reported.railCalls());
    }

    /** The missing rail knows nothing of it, so there is nothing to ask it later. */
    @Test
    void aReportOfAnotherRailIsKept() {
        for (Transaction transaction : List.of(sent, at(Operation.CASHIN, Status.PAID))) {
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

    private static Decision decide(Transaction transaction, TransactionCommand command) {
        return MissingRailDecisions.decide(transaction, command, NOW);
    }

    private static TransactionCommand answer(Transaction transaction, RailOutcome outcome) {
        return Situations.answer(transaction, RailCallKind.SUBMIT, 1, outcome);
    }

    private static Transaction at(Operation operation, Status status) {
        return named(Situations.at(operation, status));
    }

    private static Transaction named(Transaction transaction) {
        return Transactions.like(transaction).rail("bank").build();
    }
}
