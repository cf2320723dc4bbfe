package dev.ligeiro.processor.decide;

import static dev.ligeiro.processor.decide.Situations.BEGAN;
import static dev.ligeiro.processor.decide.Situations.BY_ID;
import static dev.ligeiro.processor.decide.Situations.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Requester;
import dev.ligeiro.transaction.SandboxAction;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What commands store; {@link DecisionGridTest} has their effect in every status. */
class CommandRulesTest {

    private final Transaction cashin = Situations.at(Operation.CASHIN, Status.PENDING);
    private final Transaction paid = Situations.at(Operation.CASHIN, Status.PAID);

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
}
