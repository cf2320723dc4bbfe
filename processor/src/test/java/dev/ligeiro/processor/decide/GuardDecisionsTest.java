package dev.ligeiro.processor.decide;

import static dev.ligeiro.processor.decide.Situations.BEGAN;
import static dev.ligeiro.processor.decide.Situations.BY_ID;
import static dev.ligeiro.processor.decide.Situations.BY_RESUBMISSION;
import static dev.ligeiro.processor.decide.Situations.EXPIRY;
import static dev.ligeiro.processor.decide.Situations.NOW;
import static dev.ligeiro.processor.decide.Situations.OPEN;
import static dev.ligeiro.processor.decide.Situations.RESTORED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.rail.RailFacts;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.ChangeAction.Approval;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.SandboxAction;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GuardDecisionsTest {

    private static final Approval APPROVE = new Approval(true, Source.MERCHANT, null);
    private static final Approval REJECT = new Approval(false, Source.OPERATOR, "Nobody knows the receiver");

    private final Transaction created = Situations.created(Operation.CASHOUT);
    private final Transaction waiting = GuardDecisions.waiting(created, BEGAN).accept();

    /** With a rail call it would be due, and the rail would be asked for it. */
    @Test
    void aCashoutThatMustBeApprovedWaitsWithoutACallAndIsNeverDue() {
        CommandRun run = run(created, BY_ID, verdict(GuardVerdict.APPROVAL_REQUIRED), NOW, Situations.process(created));

        assertThat(run.railRequest()).isNull();
        assertThat(run.decided().status()).isEqualTo(Status.IN_ANALYSIS);
        assertThat(run.decided().approvalSince()).isEqualTo(NOW);
        assertThat(run.decided().accepted()).isTrue();
        assertThat(run.decided().dueAt()).isNull();
        assertThat(run.decided().unsettledSince()).isNull();
    }

    @Test
    void neitherItsOwnCommandNorADueCheckNorTheRailEndsTheWait() {
        for (RailFacts facts : List.of(BY_ID, BY_RESUBMISSION, RESTORED)) {
            for (TransactionCommand command :
                    List.of(Situations.process(waiting), Situations.dueCheck(waiting), Situations.notice(waiting))) {
                CommandRun run = run(waiting, facts, OPEN, EXPIRY.plusSeconds(1), command);

                assertThat(run.railRequest()).isNull();
                assertThat(run.decided()).isEqualTo(waiting);
            }
        }
    }

    /** With the fault, a forged notice of the payment opened a call, and "not found" submitted the cashout without an approval. */
    @Test
    void aRailsReportOfItIsMoneyForTheOperator() {
        CommandRun run = run(waiting, BY_ID, OPEN, NOW, Situations.notice(waiting));

        assertThat(run.unmatched())
                .extracting(UnmatchedPayment::reason)
                .containsExactly(UnmatchedPayment.Reason.UNCONFIRMED);
    }

    @Test
    void anApprovedCashoutIsSubmitted() {
        CommandRun run = run(waiting, BY_ID, OPEN, NOW, change(APPROVE));

        assertThat(Objects.requireNonNull(run.railRequest()).call()).isEqualTo(RailCallKind.SUBMIT);
        assertThat(run.decided().status()).isEqualTo(Status.IN_PROCESS);
        assertThat(run.decided().railCalls()).hasSize(1);
        assertThat(last(run).source()).isEqualTo(Source.MERCHANT);
        assertThat(run.decided().approvalSince()).isNull();
    }

    @Test
    void aRejectedCashoutIsDeniedAndTheGuardIsNotAsked() {
        CommandRun run = run(waiting, BY_ID, verdict(GuardVerdict.MERCHANT_FROZEN), NOW, change(REJECT));

        assertThat(run.railRequest()).isNull();
        assertThat(run.decided().history().denialReason()).isEqualTo("not_approved");
        assertThat(last(run).source()).isEqualTo(Source.OPERATOR);
        assertThat(last(run).description()).isEqualTo("Nobody knows the receiver");
    }

    @Test
    void theFirstOfTwoDecisionsCounts() {
        for (List<Approval> order : List.of(List.of(APPROVE, REJECT), List.of(REJECT, APPROVE))) {
            Transaction decided =
                    run(waiting, BY_ID, OPEN, NOW, change(order.get(0))).decided();

            CommandRun second = run(decided, BY_ID, OPEN, NOW, change(order.get(1)));

            assertThat(second.railRequest()).isNull();
            assertThat(second.decided().status()).isEqualTo(order.get(0).target());
            assertRefused(second, "invalid_transition");
        }
    }

    @Test
    void aDecisionThatComesAgainChangesNothing() {
        for (Approval approval : List.of(APPROVE, REJECT)) {
            Transaction decided =
                    run(waiting, BY_ID, OPEN, NOW, change(approval)).decided();

            CommandRun again = run(decided, BY_ID, OPEN, NOW, change(approval));

            assertThat(again.railRequest()).isNull();
            assertThat(again.decided().history()).isEqualTo(decided.history());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "CASHOUTS_STOPPED, denied,      cashouts_stopped",
        "KEY_NOT_ALLOWED,  denied,      key_not_allowed",
        "MERCHANT_FROZEN,  in_analysis, merchant_frozen",
        "WAITS,            in_analysis, unavailable"
    })
    void theGuardIsAskedAgainBeforeAnApprovedCashoutIsSubmitted(GuardVerdict verdict, String status, String reason) {
        CommandRun run = run(waiting, BY_ID, verdict(verdict), NOW, change(APPROVE));

        assertThat(run.railRequest()).isNull();
        assertThat(run.decided().status().code()).isEqualTo(status);
        if (run.decided().status() == Status.DENIED) {
            assertThat(last(run).reason()).isEqualTo(reason);
            assertThat(last(run).changeId()).isNotNull();
        } else {
            assertRefused(run, reason);
            assertThat(run.decided().approvalSince()).isEqualTo(BEGAN);
        }
    }

    @Test
    void whatWaitsForNobodyCannotBeDecided() {
        Transaction analysedByRail = Situations.at(Operation.CASHOUT, Status.IN_ANALYSIS);
        Transaction analysedInSandbox = run(
                        created, BY_ID, OPEN, NOW, Situations.sandbox(created, SandboxAction.ANALYZE))
                .decided();

        for (Transaction other : List.of(analysedByRail, analysedInSandbox, created)) {
            for (Approval approval : List.of(APPROVE, REJECT)) {
                CommandRun run = run(other, BY_ID, OPEN, NOW, Situations.change(other, approval));

                assertThat(run.railRequest()).isNull();
                assertThat(run.decided().status()).isEqualTo(other.status());
                assertRefused(run, "invalid_transition");
            }
        }
    }

    /** The rail may have paid it before the backup was restored. */
    @Test
    void afterARestoredBackupTheRailIsAskedBeforeAnythingElse() {
        CommandRun begun =
                run(created, RESTORED, verdict(GuardVerdict.APPROVAL_REQUIRED), NOW, Situations.process(created));
        assertThat(begun.decided().approvalSince()).isEqualTo(NOW);

        for (Approval approval : List.of(APPROVE, REJECT)) {
            CommandRun run = run(waiting, RESTORED, OPEN, NOW, change(approval));
            assertThat(Objects.requireNonNull(run.railRequest()).call()).isEqualTo(RailCallKind.INQUIRE);
            assertThat(run.decided().status()).isEqualTo(Status.IN_PROCESS);

            assertThat(answered(run, RailOutcome.Settled.asAgreed()).decided().status())
                    .isEqualTo(Status.PAID);
        }
        CommandRun rejected = answered(run(waiting, RESTORED, OPEN, NOW, change(REJECT)), new RailOutcome.NotFound());
        assertThat(rejected.decided().history().denialReason()).isEqualTo("not_approved");
    }

    @Test
    void afterARestoredBackupACashoutWhoseTimeIsOverDoesNotWait() {
        CommandRun run =
                run(created, RESTORED, verdict(GuardVerdict.APPROVAL_REQUIRED), EXPIRY, Situations.process(created));

        assertThat(Objects.requireNonNull(run.railRequest()).call()).isEqualTo(RailCallKind.INQUIRE);
        assertThat(run.decided().approvalSince()).isNull();
    }

    /** With the fault, what the guard denied went to the rail, without an approval and though its merchant was frozen. */
    @Test
    void afterARestoredBackupTheRailIsOnlyAskedAboutWhatTheGuardDenies() {
        List<CommandRun> denied = List.of(
                run(created, RESTORED, verdict(GuardVerdict.CASHOUTS_STOPPED), NOW, Situations.process(created)),
                run(waiting, RESTORED, verdict(GuardVerdict.CASHOUTS_STOPPED), NOW, change(APPROVE)));
        for (CommandRun run : denied) {
            assertThat(Objects.requireNonNull(run.railRequest()).call()).isEqualTo(RailCallKind.INQUIRE);
            assertThat(answered(run, new RailOutcome.NotFound())
                            .decided()
                            .history()
                            .denialReason())
                    .isEqualTo("cashouts_stopped");
            assertThat(answered(run, RailOutcome.Settled.asAgreed()).decided().status())
                    .isEqualTo(Status.PAID);
        }
        CommandRun frozen = run(waiting, RESTORED, verdict(GuardVerdict.MERCHANT_FROZEN), NOW, change(APPROVE));
        assertThat(frozen.railRequest()).isNull();
        assertRefused(frozen, "merchant_frozen");
        CommandRun waits = run(created, RESTORED, verdict(GuardVerdict.WAITS), NOW, Situations.process(created));
        assertThat(waits.railRequest()).isNull();
        assertThat(waits.decided()).isEqualTo(created);
    }

    @Test
    void aProcessorWithoutTheRailDecidesNothing() {
        for (Approval approval : List.of(APPROVE, REJECT)) {
            CommandRun run = run(waiting, null, OPEN, NOW, change(approval));

            assertThat(run.decided().approvalSince()).isEqualTo(BEGAN);
            assertRefused(run, "unavailable");
        }
    }

    @Test
    void theSandboxAndACancelEndTheWait() {
        assertThat(run(waiting, BY_ID, OPEN, NOW, Situations.sandbox(waiting, SandboxAction.PAY))
                        .decided()
                        .status())
                .isEqualTo(Status.PAID);
        assertThat(run(waiting, BY_ID, OPEN, NOW, Situations.change(waiting, new ChangeAction.Cancel()))
                        .decided()
                        .status())
                .isEqualTo(Status.CANCELED);
    }

    private TransactionCommand change(Approval approval) {
        return Situations.change(waiting, approval);
    }

    private static Function<Transaction, GuardVerdict> verdict(GuardVerdict verdict) {
        return cashout -> verdict;
    }

    /** @param facts null without the rail */
    private static CommandRun run(
            Transaction stored,
            @Nullable RailFacts facts,
            Function<Transaction, GuardVerdict> guard,
            Instant now,
            TransactionCommand... commands) {
        return Situations.run(stored, Situations.rules(facts, guard), now, commands);
    }

    private static CommandRun answered(CommandRun asked, RailOutcome outcome) {
        return asked.written().answered(outcome, NOW.plus(Situations.LATE_ARRIVAL.multipliedBy(3)));
    }

    private static Entry.StatusChanged last(CommandRun run) {
        return (Entry.StatusChanged) Situations.lastEntry(run.decided());
    }

    private static void assertRefused(CommandRun run, String code) {
        assertThat(Situations.lastEntry(run.decided()))
                .isInstanceOfSatisfying(Entry.ChangeRefused.class, refused -> assertThat(refused.code())
                        .isEqualTo(code));
    }
}
