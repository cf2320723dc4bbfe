package dev.ligeiro.processor.decide;

import static dev.ligeiro.processor.decide.Situations.ALL;
import static dev.ligeiro.processor.decide.Situations.BEGAN;
import static dev.ligeiro.processor.decide.Situations.BY_ID;
import static dev.ligeiro.processor.decide.Situations.EXPIRY;
import static dev.ligeiro.processor.decide.Situations.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.rail.RailRequest;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Requester;
import dev.ligeiro.transaction.SandboxAction;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What commands store; {@link DecisionGridTest} has their effect in every status. */
class CommandRulesTest {

    private static final Duration PAUSE = Duration.ofMinutes(1);

    private final Transaction paid = Situations.at(Operation.CASHIN, Status.PAID);
    /** Its rail is one that some processors do not have. */
    private final Transaction sent = at(Operation.CASHOUT, Status.IN_PROCESS);

    @Test
    void anotherRequestWithTheSameIdempotencyKeyHasNoEffect() {
        ChangeRef first = new ChangeRef(new UUID(1, 1), "key-1");
        ChangeRef second = new ChangeRef(new UUID(1, 2), "key-1");
        ChangeAction.Refund refund = Situations.refund(new Amount(100));
        Transaction refunding = decide(paid, new TransactionCommand.Change(paid.tenant(), paid.id(), first, refund))
                .after();

        assertThat(decide(refunding, new TransactionCommand.Change(paid.tenant(), paid.id(), second, refund))
                        .after())
                .isSameAs(refunding);
    }

    @Test
    void aRefundWithTheSameReferenceMovesMoneyOnce() {
        ChangeAction.Refund refund = new ChangeAction.Refund(new Amount(100), "return-1", null);
        Transaction refunding = decide(paid, change(1, refund)).after();

        assertThat(decide(refunding, change(2, refund)).after()).isSameAs(refunding);
        assertThat(lastEntry(decide(refunding, change(3, new ChangeAction.Refund(null, "return-1", "another")))))
                .isEqualTo(new Entry.ChangeRefused(new UUID(1, 3), "refund_reference_already_used", NOW));
    }

    @Test
    void theEntryOfARequestNamesItsKey() {
        Requester by = new Requester(new UUID(3, 1), new UUID(3, 2));
        Transaction cashin = Situations.at(Operation.CASHIN, Status.PENDING);
        for (ChangeAction action : List.of(
                new ChangeAction.Cancel(),
                Situations.refund(new Amount(1)),
                new ChangeAction.Sandbox(SandboxAction.PAY),
                new ChangeAction.Sandbox(SandboxAction.REFUND))) {
            for (Transaction before : List.of(cashin, paid)) {
                Decision decision = decide(
                        before,
                        new TransactionCommand.Change(
                                before.tenant(), before.id(), new ChangeRef(new UUID(3, 3), null, by), action));
                assertThat(decision.after().history().entries())
                        .filteredOn(entry -> new UUID(3, 3).equals(entry.changeId()))
                        .isNotEmpty()
                        .allMatch(entry -> by.equals(entry.by()));
            }
        }
    }

    @Test
    void aRefusedRequestLeavesANewTransactionNew() {
        Transaction created = Situations.created(Operation.CASHOUT);

        Decision decision = decide(created, Situations.change(created, Situations.refund(null)));

        assertThat(lastEntry(decision)).isInstanceOf(Entry.ChangeRefused.class);
        assertThat(decision.after().accepted()).isFalse();
        assertThat(decide(decision.after(), Situations.process(created)).after().status())
                .isEqualTo(Status.IN_PROCESS);
    }

    @Test
    void everyRefusedRequestFindsItsEntryAlthoughAtMostFiftyAreKept() {
        Transaction refused = paid;
        for (int i = 0; i < 60; i++) {
            Decision decision = decide(refused, change(i, new ChangeAction.Cancel()));
            assertThat(lastEntry(decision))
                    .isEqualTo(new Entry.ChangeRefused(new UUID(1, i), "invalid_transition", NOW));
            refused = decision.after();
        }

        assertThat(refused.history().entries()).hasSize(paid.history().entries().size() + 50);
    }

    /** With the fault, a cashout that the sandbox had moved to {@code in_analysis} could only be denied or canceled. */
    @Test
    void theSandboxPaysACashoutThatItAnalysesBeforeTheProcessorHasAcceptedIt() {
        Transaction created = Situations.created(Operation.CASHOUT);
        Transaction analysed = decide(created, Situations.sandbox(created, SandboxAction.ANALYZE))
                .after();
        assertThat(decide(analysed, Situations.process(created))).isEqualTo(Decision.store(analysed));

        Decision decision =
                decide(analysed, Situations.change(analysed, new ChangeAction.Sandbox(SandboxAction.PAY), "k"));

        assertThat(decision.railRequest()).isNull();
        assertThat(decision.after().railCalls()).isEmpty();
        assertThat(decision.after().history().entries().stream().map(Entry::newStatus))
                .containsExactly(Status.PENDING, Status.IN_ANALYSIS, Status.IN_PROCESS, Status.PAID);
        assertThat(decision.after().history().entries().stream().map(Entry::idempotencyKey))
                .containsExactly(null, null, null, "k");
    }

    /** The simulator's answers to an earlier inquiry, and what else it could say later. */
    @Test
    void aPaymentByTheSandboxEndsTheSimulatorsAnalysis() {
        Transaction analysed = Situations.at(Operation.CASHOUT, Status.IN_ANALYSIS);

        Transaction sandboxPaid = decide(analysed, Situations.sandbox(analysed, SandboxAction.PAY))
                .after();

        assertThat(sandboxPaid.railCalls()).isEmpty();
        for (RailOutcome late : List.of(new RailOutcome.NotStarted(), new RailOutcome.Rejected("late"))) {
            assertThat(decide(sandboxPaid, Situations.answer(analysed, RailCallKind.INQUIRE, 1, late)))
                    .isEqualTo(Decision.store(sandboxPaid));
        }
    }

    @Test
    void aSandboxRefundMovesWhatIsNotRefunded() {
        Transaction partly = Transactions.partlyRefundedCashin();

        Transaction refunded =
                decide(partly, Situations.sandbox(partly, SandboxAction.REFUND)).after();

        assertThat(refunded.status()).isEqualTo(Status.REFUND);
        assertThat(refunded.railCalls()).isEmpty();
        assertThat(refunded.history().refunds().get(2).amount()).isEqualTo(new Amount(10_075));
        assertThat(refunded.history().refunds().get(2).source()).isEqualTo(Source.SANDBOX);
    }

    @Test
    void aLookBeforeTheDueTimeHasNoEffect() {
        Transaction cashout = Situations.at(Operation.CASHOUT, Status.IN_PROCESS);

        assertThat(Situations.decide(cashout, Situations.dueCheck(cashout), BY_ID, BEGAN.plusSeconds(14)))
                .isEqualTo(Decision.store(cashout));
    }

    private TransactionCommand change(int request, ChangeAction action) {
        return new TransactionCommand.Change(
                paid.tenant(), paid.id(), new ChangeRef(new UUID(1, request), null), action);
    }

    private static Decision decide(Transaction transaction, TransactionCommand command) {
        return Situations.decide(transaction, command, BY_ID, NOW);
    }

    private static Entry lastEntry(Decision decision) {
        List<Entry> entries = decision.after().history().entries();
        return entries.get(entries.size() - 1);
    }

    @ParameterizedTest
    @EnumSource
    void withoutItsRailANewTransactionStaysNewAndCanBeCanceled(Operation operation) {
        Transaction created = named(Situations.created(operation));

        assertThat(withoutRail(created, Situations.process(created))).isEqualTo(Decision.store(created));
        assertThat(withoutRail(created, Situations.change(created, new ChangeAction.Cancel()))
                        .after()
                        .status())
                .isEqualTo(Status.CANCELED);
    }

    @ParameterizedTest
    @EnumSource
    void withoutItsRailANewTransactionExpires(Operation operation) {
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
    void withoutTheRailARailCallAndACashinThatMayBePaidStayDue() {
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

        Decision decision = withoutRail(paid, refund);
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
        assertThat(withoutRail(waiting, refund)).as("the same command again").isEqualTo(Decision.store(waiting));
    }

    static List<RailOutcome> outcomes() {
        return Situations.outcomes();
    }

    /** Also one that says that money has moved: a processor that has the rail asks again. */
    @ParameterizedTest
    @MethodSource("outcomes")
    void withoutTheRailAnAnswerLeavesTheCallOpen(RailOutcome outcome) {
        assertThat(withoutRail(sent, Situations.answer(sent, RailCallKind.SUBMIT, 1, outcome)))
                .isEqualTo(Decision.store(sent));
    }

    @Test
    void withoutTheRailAReportMakesItBeAskedLaterOrIsKept() {
        Transaction paid = at(Operation.CASHIN, Status.PAID);
        Transaction ended = at(Operation.CASHOUT, Status.PAID);

        assertThat(withoutRail(sent, Situations.notice(sent))).isEqualTo(Decision.store(sent));
        assertThat(withoutRail(ended, Situations.notice(ended))).isEqualTo(Decision.store(ended));
        assertThat(withoutRail(ended, Situations.notice(ended, "E2", ALL)).unmatched())
                .extracting(UnmatchedPayment::reason)
                .containsExactly(UnmatchedPayment.Reason.UNCONFIRMED);
        assertThat(withoutRail(paid, Situations.notice(paid, "E2", ALL)).after().railCalls())
                .containsExactly(RailCall.first(null, NOW, NOW.plus(PAUSE)).reported(NOW, null, NOW.plus(PAUSE)));
    }

    /** The missing rail knows nothing of it, so there is nothing to ask it later. */
    @Test
    void withoutTheRailAReportOfAnotherRailIsKept() {
        for (Transaction transaction : List.of(sent, at(Operation.CASHIN, Status.PAID))) {
            TransactionCommand notice = new TransactionCommand.RailNotice(transaction.id(), "other-bank", "E1", ALL);

            assertThat(withoutRail(transaction, notice))
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

    private static Decision withoutRail(Transaction transaction, TransactionCommand command) {
        return CommandRules.decideWithoutRail(transaction, command, NOW);
    }

    private static Transaction at(Operation operation, Status status) {
        return named(Situations.at(operation, status));
    }

    private static Transaction named(Transaction transaction) {
        return Transactions.like(transaction).rail("bank").build();
    }
}
