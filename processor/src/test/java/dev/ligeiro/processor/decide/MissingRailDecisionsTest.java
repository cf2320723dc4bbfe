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
import java.util.Objects;
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
            assertThat(CommandRules.decideWithoutRail(created, command, EXPIRY)
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
            assertThat(CommandRules.decideWithoutRail(due, Situations.dueCheck(due), EXPIRY))
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
        assertThat(waiting.railCalls()).containsExactly(RailCall.first(id, NOW, NOW.plus(PAUSE)));
        Decision asks = Situations.decide(waiting, Situations.dueCheck(waiting), BY_ID, NOW.plus(PAUSE));
        assertThat(asks.railRequest()).isEqualTo(new RailRequest(RailCallKind.INQUIRE, id, 1, 2));
        assertThat(RailDecisions.decide(
                                new Context(asks.after(), BY_ID, NOW.plus(PAUSE)),
                                Objects.requireNonNull(asks.railRequest()),
                                NOW.plus(PAUSE),
                                new RailOutcome.NotFound())
                        .railRequest())
                .isEqualTo(new RailRequest(RailCallKind.SUBMIT, id, 2, 2));
        assertThat(decide(waiting, refund)).as("the same command again").isEqualTo(Decision.store(waiting));
    }

    static List<RailOutcome> outcomes() {
        return Situations.outcomes();
    }

    /** Also one that says that money has moved: a processor that has the rail asks again. */
    @ParameterizedTest
    @MethodSource("outcomes")
    void anAnswerLeavesTheCallOpen(RailOutcome outcome) {
        assertThat(decide(sent, Situations.answer(sent, RailCallKind.SUBMIT, 1, outcome)))
                .isEqualTo(Decision.store(sent));
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
        return CommandRules.decideWithoutRail(transaction, command, NOW);
    }

    private static Transaction at(Operation operation, Status status) {
        return named(Situations.at(operation, status));
    }

    private static Transaction named(Transaction transaction) {
        return Transactions.like(transaction).rail("bank").build();
    }
}
