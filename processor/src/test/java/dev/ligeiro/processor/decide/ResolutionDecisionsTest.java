package dev.ligeiro.processor.decide;

import static dev.ligeiro.processor.decide.Situations.ALL;
import static dev.ligeiro.processor.decide.Situations.BY_ID;
import static dev.ligeiro.processor.decide.Situations.BY_RESUBMISSION;
import static dev.ligeiro.processor.decide.Situations.NOW;
import static dev.ligeiro.processor.decide.Situations.REFUND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.processor.rail.RailFacts;
import dev.ligeiro.processor.rail.RailRequest;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.Refund;
import dev.ligeiro.transaction.Settlement;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The operators' decisions about cashouts and refunds whose outcome stays unknown, by the steps of a run. */
class ResolutionDecisionsTest {

    private static final UUID ID = new UUID(7, 9);
    private static final Settlement PAYMENT = new Settlement("E9988776620260310143114railDEF1", NOW.minusSeconds(5));
    private static final Instant LATER = NOW.plus(ResolutionDecisions.ASKED_FOR);

    private final Transaction inProcess = Situations.at(Operation.CASHOUT, Status.IN_PROCESS);
    private final Transaction refunding = Situations.withRefund(Situations.at(Operation.CASHIN, Status.PAID), ALL);

    @Test
    void theRailIsAskedOnceMoreBeforeAnythingIsWritten() {
        CommandRun begun = run(inProcess, BY_ID, NOW, paid());

        assertThat(begun.decided().status()).isEqualTo(Status.IN_PROCESS);
        assertThat(begun.decided().history()).isEqualTo(inProcess.history());
        assertThat(begun.railRequest()).isEqualTo(new RailRequest(RailCallKind.INQUIRE, null, 1, 2));
    }

    /** To ask it by another submission could pay the cashout. */
    @Test
    void aRailThatIsAskedByResubmissionGetsNoSubmission() {
        Transaction waiting = begun(inProcess, BY_RESUBMISSION, denied());

        assertThat(run(inProcess, BY_RESUBMISSION, NOW, denied()).railRequest())
                .extracting(RailRequest::call)
                .isEqualTo(RailCallKind.INQUIRE);
        assertThat(run(waiting, BY_RESUBMISSION, NOW.plusSeconds(30), Situations.dueCheck(waiting))
                        .railRequest())
                .extracting(RailRequest::call)
                .isEqualTo(RailCallKind.INQUIRE);
    }

    @Test
    void itIsAppliedWhenTheRailStillDoesNotKnow() {
        Transaction paid = answered(begun(inProcess, BY_ID, paid()), NOW, new RailOutcome.Pending());
        Transaction denied = answered(begun(inProcess, BY_ID, denied()), NOW, new RailOutcome.NotFound());

        assertThat(Situations.lastEntry(paid))
                .isEqualTo(new Entry.StatusChanged(
                        Status.PAID, NOW, Source.OPERATOR, "resolved_by_operator", PAYMENT, new ChangeRef(ID, null)));
        assertThat(paid.railCalls()).isEmpty();
        assertThat(paid.endToEndId()).isEqualTo(PAYMENT.endToEndId());
        assertThat(denied.history().denialReason()).isEqualTo("resolved_by_operator");
    }

    @Test
    void theRailsWordWins() {
        Transaction paid = answered(begun(inProcess, BY_ID, denied()), NOW, RailOutcome.Settled.asAgreed());
        Transaction denied = answered(begun(inProcess, BY_ID, paid()), NOW, new RailOutcome.Rejected("no_funds"));

        assertThat(paid.status()).isEqualTo(Status.PAID);
        assertThat(denied.history().denialReason()).isEqualTo("no_funds");
        assertThat(List.of(paid, denied))
                .allSatisfy(each -> assertThat(Situations.lastEntry(each))
                        .isEqualTo(new Entry.ChangeRefused(ID, "invalid_transition", NOW)))
                .allSatisfy(each -> assertThat(each.railCalls()).isEmpty());
    }

    /** The operators knew it. */
    @Test
    void anAnswerFromBeforeTheDecisionDoesNotCount() {
        Transaction waiting =
                answered(begun(inProcess, BY_ID, denied()), NOW.minusMillis(1), NOW, new RailOutcome.Pending());

        assertThat(waiting.status()).isEqualTo(Status.IN_PROCESS);
        assertThat(waiting.railCall(null)).isPresent();
    }

    /** The rail may have been asked before it had the submission, which could pay the cashout after all. */
    @Test
    void aSubmissionThatMayStillArriveIsWaitedFor() {
        Transaction waiting = begun(Situations.takenOver(), BY_ID, denied());

        Transaction asked = run(
                        waiting,
                        BY_ID,
                        NOW,
                        Situations.answer(waiting, RailCallKind.INQUIRE, 2, NOW, new RailOutcome.NotFound()))
                .decided();
        Transaction later = run(
                        waiting,
                        BY_ID,
                        LATER,
                        Situations.answer(waiting, RailCallKind.INQUIRE, 2, LATER, new RailOutcome.NotFound()))
                .decided();

        assertThat(asked.status()).isEqualTo(Status.IN_PROCESS);
        assertThat(later.status()).isEqualTo(Status.DENIED);
    }

    @Test
    void aRailThatDoesNotAnswerIsAskedForAMinute() {
        Transaction unknown = answered(begun(inProcess, BY_ID, denied()), NOW, new RailOutcome.Unknown());
        Instant before = LATER.minusMillis(1);

        assertThat(unknown.status()).isEqualTo(Status.IN_PROCESS);
        assertThat(run(unknown, BY_ID, before, Situations.dueCheck(unknown)).railRequest())
                .extracting(RailRequest::call)
                .isEqualTo(RailCallKind.INQUIRE);
        assertThat(run(unknown, BY_ID, LATER, Situations.dueCheck(unknown)).railRequest())
                .as("it is applied after an answer only")
                .extracting(RailRequest::call)
                .isEqualTo(RailCallKind.INQUIRE);
        assertThat(answered(unknown, LATER, LATER, new RailOutcome.Unknown()).status())
                .isEqualTo(Status.DENIED);
    }

    @Test
    void aProcessorWithoutTheRailLeavesItToOnesThatCanAsk() {
        Transaction waiting = begun(inProcess, null, paid());

        Transaction after =
                run(waiting, null, LATER, Situations.dueCheck(waiting)).decided();

        assertThat(after.status()).isEqualTo(Status.IN_PROCESS);
        assertThat(run(after, BY_ID, LATER, Situations.dueCheck(after)).railRequest())
                .extracting(RailRequest::call)
                .isEqualTo(RailCallKind.INQUIRE);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRefundIsMadeOrFailed(boolean made) {
        Transaction begun = begun(refunding, BY_ID, resolve(refunding, new ChangeAction.Resolve(REFUND, made, null)));
        Transaction after = refundAnswered(begun, new RailOutcome.Pending());

        assertThat(after.history().refunds())
                .extracting(Refund::state)
                .containsExactly(made ? Refund.State.REFUNDED : Refund.State.FAILED);
        assertThat(after.status()).isEqualTo(made ? Status.REFUND : Status.PAID);
        assertThat(Situations.lastEntry(after).changeId()).isEqualTo(ID);
        assertThat(after.railCalls()).isEmpty();
    }

    @Test
    void theRailsWordAboutARefundWins() {
        Transaction begun = begun(refunding, BY_ID, resolve(refunding, new ChangeAction.Resolve(REFUND, false, null)));
        Transaction after = refundAnswered(begun, RailOutcome.Settled.asAgreed());

        assertThat(after.status()).isEqualTo(Status.REFUND);
        assertThat(Situations.lastEntry(after)).isInstanceOf(Entry.ChangeRefused.class);
    }

    @Test
    void aSecondDecisionIsRefused() {
        Transaction waiting = begun(inProcess, BY_ID, denied());
        TransactionCommand other = new TransactionCommand.Change(
                inProcess.tenant(),
                inProcess.id(),
                new ChangeRef(new UUID(7, 10), null),
                new ChangeAction.Resolve(null, true, PAYMENT));

        Transaction after = run(waiting, BY_ID, NOW, other).decided();

        assertThat(Situations.lastEntry(after))
                .isEqualTo(new Entry.ChangeRefused(new UUID(7, 10), "invalid_transition", NOW));
        assertThat(after.railCalls()).isEqualTo(waiting.railCalls());
    }

    @Test
    void aRedeliveredDecisionChangesNothingAndSendsItsEventAgain() {
        Transaction waiting = begun(inProcess, BY_ID, denied());
        Transaction applied = answered(waiting, NOW, new RailOutcome.NotFound());

        assertThat(run(waiting, BY_ID, NOW, denied()).update()).isEmpty();
        CommandRun again = run(applied, BY_ID, LATER, denied());
        assertThat(again.decided()).isSameAs(applied);
        assertThat(again.events().map(TransactionEvent::sequence).toList())
                .contains(applied.history().sequence());
    }

    /** Money that moves after the operators' word is never applied silently. */
    @Test
    void whatTheRailSaysLaterIsAnUnmatchedPayment() {
        Transaction denied = answered(begun(inProcess, BY_ID, denied()), NOW, new RailOutcome.NotFound());

        Decision decision = Situations.decide(
                denied, Situations.answer(denied, RailCallKind.INQUIRE, 1, RailOutcome.Settled.asAgreed()), BY_ID, NOW);

        assertThat(decision.unmatched())
                .extracting(UnmatchedPayment::reason)
                .containsExactly(UnmatchedPayment.Reason.PAID_AFTER_ITS_END);
        assertThat(decision.after().status()).isEqualTo(Status.DENIED);
    }

    @Test
    void aReportThatCameMeanwhileIsLookedInto() {
        Transaction waiting = begun(inProcess, BY_ID, denied());
        Transaction reported = run(waiting, BY_ID, NOW.plusSeconds(1), Situations.notice(waiting))
                .decided();

        Transaction applied = answered(reported, NOW.plusSeconds(1), NOW.plusSeconds(1), new RailOutcome.Pending());

        assertThat(applied.status()).isEqualTo(Status.DENIED);
        assertThat(applied.railCall(null).map(RailCall::resolution)).isEmpty();
        assertThat(applied.railCalls()).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("payableCashins")
    void anUnmatchedPaymentPaysACashin(Transaction cashin) {
        Transaction paid = run(cashin, BY_ID, NOW, resolve(cashin, new ChangeAction.Resolve(null, true, PAYMENT)))
                .decided();

        assertThat(paid.status()).isEqualTo(Status.PAID);
        assertThat(paid.endToEndId()).isEqualTo(PAYMENT.endToEndId());
        assertThat(TransactionEvent.of(paid, paid.history().sequence()).resolved())
                .isTrue();
        assertThat(paid.railCalls()).isEmpty();
    }

    static List<Transaction> payableCashins() {
        return List.of(
                Situations.at(Operation.CASHIN, Status.PENDING),
                Situations.at(Operation.CASHIN, Status.IN_ANALYSIS),
                Situations.at(Operation.CASHIN, Status.EXPIRED));
    }

    /** Its code can still be paid. */
    @Test
    void anOwnPaymentOfAnAssignedCashinIsUnmatched() {
        Transaction cashin = Situations.at(Operation.CASHIN, Status.PENDING);
        Transaction paid = run(cashin, BY_ID, NOW, resolve(cashin, new ChangeAction.Resolve(null, true, PAYMENT)))
                .decided();
        RailOutcome own = new RailOutcome.Settled(new Settlement("E-own", NOW), List.of());

        Decision decision =
                Situations.decide(paid, Situations.answer(paid, RailCallKind.INQUIRE, 1, own), BY_ID, LATER);

        assertThat(decision.unmatched())
                .extracting(UnmatchedPayment::endToEndId, UnmatchedPayment::reason)
                .containsExactly(tuple("E-own", UnmatchedPayment.Reason.PAID_TWICE));
        assertThat(decision.after().endToEndId()).isEqualTo(PAYMENT.endToEndId());
    }

    /** A writer to Kafka must not decide. */
    @Test
    void aDecisionThatIsNotConfirmedIsRefused() {
        Batch batch =
                Situations.begin(Map.of(inProcess.id(), inProcess), denied()).decide(NOW);

        assertThat(batch.runs().get(0).outcomes()).containsExactly(CommandOutcome.NOT_CONFIRMED);
        assertThat(batch.updates()).isEmpty();
    }

    private TransactionCommand paid() {
        return resolve(inProcess, new ChangeAction.Resolve(null, true, PAYMENT));
    }

    private TransactionCommand denied() {
        return resolve(inProcess, new ChangeAction.Resolve(null, false, null));
    }

    private static TransactionCommand resolve(Transaction transaction, ChangeAction.Resolve resolve) {
        return new TransactionCommand.Change(transaction.tenant(), transaction.id(), new ChangeRef(ID, null), resolve);
    }

    /** What is stored before the rail is asked. */
    private static Transaction begun(Transaction transaction, @Nullable RailFacts facts, TransactionCommand command) {
        return run(transaction, facts, NOW, command).written().stored();
    }

    private static Transaction answered(Transaction waiting, Instant askedAt, RailOutcome outcome) {
        return answered(waiting, askedAt, askedAt, outcome);
    }

    private static Transaction answered(Transaction waiting, Instant askedAt, Instant now, RailOutcome outcome) {
        return run(waiting, BY_ID, now, Situations.answer(waiting, RailCallKind.INQUIRE, 1, askedAt, outcome))
                .decided();
    }

    private static Transaction refundAnswered(Transaction waiting, RailOutcome outcome) {
        return run(waiting, BY_ID, NOW, Situations.refundAnswer(waiting, RailCallKind.INQUIRE, outcome))
                .decided();
    }

    private static CommandRun run(
            Transaction stored, @Nullable RailFacts facts, Instant now, TransactionCommand... commands) {
        return Situations.run(stored, Situations.rules(facts, commands), now, commands);
    }
}
