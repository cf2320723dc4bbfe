package dev.ligeiro.processor.decide;

import static dev.ligeiro.processor.decide.Situations.ALL;
import static dev.ligeiro.processor.decide.Situations.ANALYSES_FIRST;
import static dev.ligeiro.processor.decide.Situations.BEGAN;
import static dev.ligeiro.processor.decide.Situations.BY_ID;
import static dev.ligeiro.processor.decide.Situations.BY_RESUBMISSION;
import static dev.ligeiro.processor.decide.Situations.EXPIRY;
import static dev.ligeiro.processor.decide.Situations.NOW;
import static dev.ligeiro.processor.decide.Situations.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ligeiro.message.RailCall;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.rail.RailFacts;
import dev.ligeiro.processor.rail.RailRequest;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.OpenCall;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Refund;
import dev.ligeiro.transaction.Settlement;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules by which money moves at most once, and moves in the end; {@link DecisionGridTest} has the statuses. */
class RailDecisionsTest {

    private static final RailOutcome UNKNOWN = new RailOutcome.Unknown();
    private static final RailOutcome NOT_FOUND = new RailOutcome.NotFound();
    private static final RailOutcome NOT_STARTED = new RailOutcome.NotStarted();
    private static final RailOutcome REJECTED = new RailOutcome.Rejected("no_funds");
    private static final RailOutcome SETTLED = RailOutcome.Settled.asAgreed();
    private static final Duration[] DOUBLING = Stream.of(2, 4, 8, 16, 32, 64, 128, 256, 300, 300)
            .map(Duration::ofSeconds)
            .toArray(Duration[]::new);

    private final Transaction inProcess = Situations.at(Operation.CASHOUT, Status.IN_PROCESS);

    @Test
    void anUnknownOutcomeIsAskedForWithPausesThatDoubleUpTo5Minutes() {
        assertThat(pauses(inProcess, UNKNOWN, BY_ID, RailCall.INQUIRE)).containsExactly(DOUBLING);
    }

    @Test
    void aRailThatIsAskedByResubmissionIsNeverInquiredAndItsPausesDoubleToo() {
        assertThat(pauses(inProcess, UNKNOWN, BY_RESUBMISSION, RailCall.SUBMIT)).containsExactly(DOUBLING);
    }

    @Test
    void aCashoutInReviewStaysInProcessWithoutLimit() {
        Transaction waiting = inProcess;
        Instant now = BEGAN;
        while (now.isBefore(BEGAN.plus(Duration.ofDays(90)))) {
            waiting = decide(waiting, answer(waiting, RailCall.INQUIRE, 1, new RailOutcome.InReview()), BY_ID, now)
                    .after();
            now = dueAt(waiting);
            Decision look = decide(waiting, Situations.look(waiting), BY_ID, now);
            assertThat(look.railRequest()).isEqualTo(new RailRequest(RailCall.INQUIRE, null, 1, 2));
            waiting = look.after();
        }

        assertThat(waiting.status()).isEqualTo(Status.IN_PROCESS);
        assertThat(waiting.history()).isEqualTo(inProcess.history());
    }

    @Test
    void notFoundOnlyWaitsBeforeTwiceTheLateArrivalSpan() {
        Instant before = NOW.minusMillis(1);

        Decision decision = decide(inProcess, answer(inProcess, RailCall.INQUIRE, 1, before, NOT_FOUND), BY_ID, before);

        assertThat(decision.railRequest()).isNull();
        assertThat(decision.after().openCall(null)).contains(Situations.call().waitingUntil(NOW));
    }

    /** Before, a submission that arrived after the inquiry was made a second time when the answer had waited in Kafka. */
    @Test
    void notFoundThatWaitedInKafkaIsAskedForAgain() {
        TransactionCommand early = answer(inProcess, RailCall.INQUIRE, 1, NOW.minusMillis(1), NOT_FOUND);

        Decision decision = decide(inProcess, early, BY_ID, NOW.plusSeconds(90));

        assertThat(decision.railRequest()).isNull();
        assertThat(decision.after().openCall(null)).contains(Situations.call().waitingUntil(NOW.plusSeconds(90)));
        assertThat(decide(decision.after(), Situations.look(decision.after()), BY_ID, NOW.plusSeconds(90))
                        .railRequest())
                .isEqualTo(new RailRequest(RailCall.INQUIRE, null, 1, 2));
    }

    @Test
    void notFoundAfterTwiceTheLateArrivalSpanTakesTheSubmissionOver() {
        Decision decision = decide(inProcess, answer(inProcess, RailCall.INQUIRE, 1, NOT_FOUND), BY_ID, NOW);

        assertThat(decision.railRequest()).isEqualTo(new RailRequest(RailCall.SUBMIT, null, 2, 2));
        assertThat(decision.after().id()).isEqualTo(inProcess.id());
        assertThat(decision.after().status()).isEqualTo(Status.IN_PROCESS);
        assertThat(decision.after().openCall(null))
                .contains(new OpenCall(null, 2, true, NOW, 0, null, NOW.plusSeconds(15)));
        assertThat(new Update(inProcess, decision.after()).takesSubmission()).isTrue();
    }

    @Test
    void theSpanBeginsAgainWithTheSecondSubmission() {
        Transaction again = takenOver();

        assertThat(notFound(again, NOW.plusSeconds(59)).railRequest()).isNull();
        assertThat(notFound(again, NOW.plusSeconds(60)).railRequest())
                .isEqualTo(new RailRequest(RailCall.SUBMIT, null, 3, 2));
    }

    static Stream<RailOutcome> outcomesOtherThanSettled() {
        return Situations.outcomes().stream().filter(outcome -> !(outcome instanceof RailOutcome.Settled));
    }

    @ParameterizedTest
    @MethodSource("outcomesOtherThanSettled")
    void anAnswerToAnEarlierSubmissionChangesNothing(RailOutcome outcome) {
        Transaction again = takenOver();

        for (RailCall call : RailCall.values()) {
            assertThat(decide(again, answer(again, call, 1, outcome), BY_ID, NOW.plusSeconds(90)))
                    .isEqualTo(Decision.store(again));
        }
    }

    @Test
    void anEarlierSubmissionThatSettledPays() {
        Transaction again = takenOver();

        Transaction paid = decide(again, answer(again, RailCall.SUBMIT, 1, SETTLED), BY_ID, NOW)
                .after();

        assertThat(paid.status()).isEqualTo(Status.PAID);
        assertThat(paid.openCalls()).isEmpty();
    }

    @Test
    void aRejectedFirstSubmissionIsADenial() {
        Transaction denied = decide(inProcess, answer(inProcess, RailCall.SUBMIT, 1, REJECTED), BY_ID, NOW)
                .after();

        assertThat(lastEntry(denied))
                .isEqualTo(new Entry.StatusChanged(Status.DENIED, NOW, Source.RAIL, "no_funds", null, null));
        assertThat(denied.openCalls()).isEmpty();
    }

    @Test
    void aRejectedRepetitionIsReadBackAndCountsWhenTheRailHasNotFoundIt() {
        Transaction again = takenOver();

        Decision rejected = decide(again, answer(again, RailCall.SUBMIT, 2, REJECTED), BY_ID, NOW);
        assertThat(rejected.railRequest()).isEqualTo(new RailRequest(RailCall.INQUIRE, null, 2, 2));
        assertThat(rejected.after().status()).isEqualTo(Status.IN_PROCESS);

        Decision early = notFound(rejected.after(), NOW.plusSeconds(59));
        assertThat(early.railRequest()).isNull();
        assertThat(early.after().status()).isEqualTo(Status.IN_PROCESS);

        Decision denied = notFound(early.after(), NOW.plusSeconds(60));
        assertThat(denied.railRequest()).isNull();
        assertThat(lastEntry(denied.after()))
                .isEqualTo(new Entry.StatusChanged(
                        Status.DENIED, NOW.plusSeconds(60), Source.RAIL, "no_funds", null, null));
    }

    @Test
    void aRejectedRepetitionIsPaidWhenTheFirstSubmissionHadWorked() {
        Transaction again = takenOver();
        Transaction rejected = decide(again, answer(again, RailCall.SUBMIT, 2, REJECTED), BY_ID, NOW)
                .after();

        assertThat(decide(rejected, answer(rejected, RailCall.INQUIRE, 2, SETTLED), BY_ID, NOW)
                        .after()
                        .status())
                .isEqualTo(Status.PAID);
    }

    @Test
    void aRejectedResubmissionOfARailThatRepeatsItsAnswerIsADenial() {
        Transaction again = takenOver();

        assertThat(decide(again, answer(again, RailCall.SUBMIT, 2, REJECTED), BY_RESUBMISSION, NOW)
                        .after()
                        .status())
                .isEqualTo(Status.DENIED);
    }

    @Test
    void notStartedSubmitsAgainAsAnotherSubmission() {
        Transaction waiting = decide(inProcess, answer(inProcess, RailCall.SUBMIT, 1, NOT_STARTED), BY_ID, BEGAN)
                .after();
        assertThat(dueAt(waiting)).isEqualTo(BEGAN.plusSeconds(2));

        Decision again = decide(waiting, Situations.look(waiting), BY_ID, dueAt(waiting));

        assertThat(again.railRequest()).isEqualTo(new RailRequest(RailCall.SUBMIT, null, 2, 2));
        assertThat(new Update(waiting, again.after()).takesSubmission()).isTrue();
    }

    /** Else the same id would be submitted once more, and the rail's rejection of the repetition would look like a denial. */
    @Test
    void aLateNotStartedOfTheFirstSubmissionDoesNotUndoTheSecond() {
        TransactionCommand busy = answer(inProcess, RailCall.SUBMIT, 1, NOT_STARTED);
        Transaction waiting = decide(inProcess, busy, BY_ID, BEGAN).after();
        Transaction again =
                decide(waiting, Situations.look(waiting), BY_ID, dueAt(waiting)).after();

        assertThat(decide(again, busy, BY_ID, NOW)).isEqualTo(Decision.store(again));
    }

    @Test
    void anInquiryThatIsNotStartedDoesNotMakeASubmissionNotStarted() {
        Transaction waiting = decide(inProcess, answer(inProcess, RailCall.INQUIRE, 1, NOT_STARTED), BY_ID, NOW)
                .after();

        assertThat(decide(waiting, Situations.look(waiting), BY_ID, dueAt(waiting))
                        .railRequest())
                .isEqualTo(new RailRequest(RailCall.INQUIRE, null, 1, 2));
    }

    @Test
    void anAnalysedCashoutIsAskedAboutAndSubmittedWhenItsAnalysisEnds() {
        Transaction created = Situations.created(Operation.CASHOUT);
        Transaction analysed = decide(created, Situations.process(created), ANALYSES_FIRST, BEGAN)
                .after();
        assertThat(analysed.status()).isEqualTo(Status.IN_ANALYSIS);

        Decision look = decide(analysed, Situations.look(analysed), ANALYSES_FIRST, NOW);
        assertThat(look.railRequest()).isEqualTo(new RailRequest(RailCall.INQUIRE, null, 1, 2));
        assertThat(new Update(analysed, look.after()).takesSubmission()).isFalse();

        Decision submitted =
                decide(look.after(), answer(analysed, RailCall.INQUIRE, 1, NOT_STARTED), ANALYSES_FIRST, NOW);
        assertThat(submitted.after().status()).isEqualTo(Status.IN_PROCESS);
        assertThat(submitted.railRequest()).isEqualTo(new RailRequest(RailCall.SUBMIT, null, 1, 3));
        assertThat(new Update(look.after(), submitted.after()).takesSubmission())
                .isTrue();
    }

    /** With the fault, the redelivered answer made the rail submit a second time without asking for the first. */
    @Test
    void theRedeliveredAnswerOfAnAnalysisDoesNotSubmitAgain() {
        Transaction analysed = Situations.at(Operation.CASHOUT, Status.IN_ANALYSIS);
        TransactionCommand answer = answer(analysed, RailCall.INQUIRE, 1, NOT_STARTED);
        Transaction submitted = decide(analysed, answer, ANALYSES_FIRST, NOW).after();

        Decision again = decide(submitted, answer, ANALYSES_FIRST, NOW.plusSeconds(1));

        assertThat(again.railRequest()).isNull();
        assertThat(decide(again.after(), Situations.look(again.after()), ANALYSES_FIRST, dueAt(again.after()))
                        .railRequest())
                .isEqualTo(new RailRequest(RailCall.INQUIRE, null, 1, 3));
    }

    @Test
    void aCashinThatIsPaidAfterItsExpiryIsPaid() {
        Transaction expired = Situations.at(Operation.CASHIN, Status.EXPIRED);
        Settlement settlement = new Settlement("E1", BEGAN.plusSeconds(1));

        Transaction paid = decide(
                        expired,
                        answer(expired, RailCall.INQUIRE, 1, new RailOutcome.Settled(settlement, List.of())),
                        BY_ID,
                        NOW)
                .after();

        assertThat(paid.status()).isEqualTo(Status.PAID);
        assertThat(paid.endToEndId()).isEqualTo("E1");
    }

    @Test
    void aCashinDoesNotExpireByAnAnswerFromBeforeItsExpiry() {
        Transaction cashin = Situations.at(Operation.CASHIN, Status.PENDING);
        Instant before = EXPIRY.minusMillis(1);

        Transaction waiting = decide(
                        cashin,
                        answer(cashin, RailCall.INQUIRE, 1, before, new RailOutcome.Pending()),
                        BY_ID,
                        EXPIRY.plusSeconds(9))
                .after();

        assertThat(waiting.status()).isEqualTo(Status.PENDING);
        assertThat(decide(waiting, Situations.look(waiting), BY_ID, EXPIRY.plusSeconds(9))
                        .railRequest())
                .isEqualTo(new RailRequest(RailCall.INQUIRE, null, 1, 1));
    }

    @ParameterizedTest
    @EnumSource(names = {"CANCELED", "DENIED"})
    void aCashinThatIsPaidAfterItsEndIsAStray(Status end) {
        Transaction ended = Situations.at(Operation.CASHIN, end);

        assertThat(decide(ended, answer(ended, RailCall.SUBMIT, 1, SETTLED), BY_ID, NOW))
                .isEqualTo(Decision.stray(
                        ended,
                        new Stray("bank", ended.endToEndId(), ended.id(), ALL, Stray.Reason.PAID_AFTER_ITS_END, NOW)));
    }

    @ParameterizedTest
    @EnumSource(Operation.class)
    void moneyThatTheRailReturnedIsARefundOnce(Operation operation) {
        Transaction paid = Situations.at(operation, Status.PAID);
        TransactionCommand returned =
                answer(paid, RailCall.INQUIRE, 1, Situations.settledAndReturned("D1", new Amount(5_000)));

        Transaction refunded = decide(paid, returned, BY_ID, NOW).after();

        assertThat(refunded.status()).isEqualTo(Status.PAID);
        assertThat(refunded.openCalls()).isEmpty();
        assertThat(refunded.history().refunds())
                .extracting(Refund::amount, Refund::source, Refund::state)
                .containsExactly(tuple(new Amount(5_000), Source.RAIL, Refund.State.REFUNDED));
        assertThat(decide(refunded, returned, BY_ID, NOW.plusSeconds(9))).isEqualTo(Decision.store(refunded));
    }

    @Test
    void twoReturnsOfTheWholeAmountCompleteTheRefund() {
        Transaction paid = Situations.at(Operation.CASHIN, Status.PAID);
        RailOutcome settled = new RailOutcome.Settled(
                null,
                List.of(
                        new RailOutcome.Returned("D1", new Amount(5_000)),
                        new RailOutcome.Returned("D2", new Amount(10_075))));

        Transaction refunded = decide(paid, answer(paid, RailCall.INQUIRE, 1, settled), BY_ID, NOW)
                .after();

        assertThat(refunded.status()).isEqualTo(Status.REFUND);
        assertThat(refunded.history().refunds()).hasSize(2);
    }

    @Test
    void aReturnOfMoreThanTheAmountIsAStray() {
        Transaction paid = Situations.at(Operation.CASHIN, Status.PAID);
        Amount tooMuch = new Amount(ALL.cents() + 1);

        assertThat(decide(
                        paid,
                        answer(paid, RailCall.INQUIRE, 1, Situations.settledAndReturned("D1", tooMuch)),
                        BY_ID,
                        NOW))
                .isEqualTo(Decision.stray(
                        paid,
                        new Stray(
                                "bank",
                                paid.endToEndId() + "/D1",
                                paid.id(),
                                tooMuch,
                                Stray.Reason.RETURNED_TOO_MUCH,
                                NOW)));
    }

    @Test
    void eachReturnOfTooMuchIsAStrayAndTheOthersAreRefunds() {
        Transaction paid = Situations.at(Operation.CASHIN, Status.PAID);
        Amount tooMuch = new Amount(ALL.cents() + 1);
        RailOutcome settled = new RailOutcome.Settled(
                null,
                List.of(
                        new RailOutcome.Returned("D1", tooMuch),
                        new RailOutcome.Returned("D2", new Amount(100)),
                        new RailOutcome.Returned("D3", ALL)));

        Decision decision = decide(paid, answer(paid, RailCall.INQUIRE, 1, settled), BY_ID, NOW);

        assertThat(decision.after().history().refunds())
                .extracting(Refund::amount)
                .containsExactly(new Amount(100));
        assertThat(decision.strays())
                .extracting(Stray::endToEndId, Stray::amount, Stray::reason)
                .containsExactlyInAnyOrder(
                        tuple(paid.endToEndId() + "/D1", tooMuch, Stray.Reason.RETURNED_TOO_MUCH),
                        tuple(paid.endToEndId() + "/D3", ALL, Stray.Reason.RETURNED_TOO_MUCH));
    }

    @Test
    void paymentsThatAnOutcomeDoesNotExplainAreStraysAndTheOutcomeCounts() {
        Transaction expired = Situations.at(Operation.CASHIN, Status.EXPIRED);
        Amount other = new Amount(ALL.cents() - 1);
        RailOutcome answer = new RailOutcome.Surplus(
                List.of(new RailOutcome.Payment("E2", ALL), new RailOutcome.Payment("E3", other)), SETTLED);

        Decision decision = decide(expired, answer(expired, RailCall.INQUIRE, 1, answer), BY_ID, NOW);

        assertThat(decision.after().status()).isEqualTo(Status.PAID);
        assertThat(decision.strays())
                .containsExactly(
                        new Stray("bank", "E2", expired.id(), ALL, Stray.Reason.PAID_TWICE, NOW),
                        new Stray("bank", "E3", expired.id(), other, Stray.Reason.OTHER_AMOUNT, NOW));
    }

    @Test
    void aRefundWithoutAnAnswerIsAskedFor() {
        Transaction refunding = Situations.withRefund(Situations.at(Operation.CASHIN, Status.PAID), ALL);

        assertThat(decide(refunding, Situations.look(refunding), BY_ID, NOW).railRequest())
                .isEqualTo(new RailRequest(RailCall.INQUIRE, Situations.REFUND, 1, 2));
    }

    @Test
    void aRefundThatTheRailRejectsFailsAndFreesItsAmount() {
        Transaction refunding = Situations.withRefund(Situations.at(Operation.CASHIN, Status.PAID), ALL);
        TransactionCommand rejected = Situations.refundAnswer(refunding, RailCall.SUBMIT, REJECTED);

        Transaction failed = decide(refunding, rejected, BY_ID, NOW).after();

        assertThat(lastEntry(failed)).isEqualTo(new Entry.RefundFailed(Situations.REFUND, "no_funds", NOW));
        assertThat(failed.openCalls()).isEmpty();
        assertThat(decide(failed, rejected, BY_ID, NOW).after()).isSameAs(failed);
        assertThat(decide(failed, Situations.change(failed, Situations.refund(ALL)), BY_ID, NOW)
                        .railRequest())
                .isNotNull();
    }

    @Test
    void aRefundThatTheRailHasNotFoundIsSubmittedAgainWithTheSameId() {
        Transaction refunding = Situations.withRefund(Situations.at(Operation.CASHIN, Status.PAID), ALL);

        assertThat(decide(refunding, Situations.refundAnswer(refunding, RailCall.INQUIRE, NOT_FOUND), BY_ID, NOW)
                        .railRequest())
                .isEqualTo(new RailRequest(RailCall.SUBMIT, Situations.REFUND, 2, 2));
    }

    /** The rail is asked about a finished transaction after a notice; with the fault, "not found" paid it again. */
    @ParameterizedTest
    @MethodSource("outcomesOtherThanSettled")
    void nothingIsSubmittedForATransactionThatHasItsOutcome(RailOutcome outcome) {
        Instant later = NOW.plus(Duration.ofDays(30));
        for (Operation operation : Operation.values()) {
            for (Status status : List.of(Status.PAID, Status.REFUND, Status.EXPIRED, Status.DENIED, Status.CANCELED)) {
                Transaction asked = Situations.at(operation, status).with(Situations.call());
                for (RailFacts facts : List.of(BY_ID, BY_RESUBMISSION)) {
                    assertThat(decide(asked, Situations.look(asked), facts, later)
                                    .railRequest())
                            .isEqualTo(new RailRequest(
                                    RailCall.INQUIRE, null, 1, asked.history().sequence()));

                    Decision answered = decide(asked, answer(asked, RailCall.INQUIRE, 1, outcome), facts, later);

                    assertThat(answered.railRequest()).isNull();
                    assertThat(answered.after().status()).isEqualTo(status);
                    assertThat(answered.after().openCalls().isEmpty())
                            .isEqualTo(!(outcome instanceof RailOutcome.Unknown));
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"PAID", "REFUND", "DENIED", "CANCELED"})
    void theQuestionAfterANoticeEndsWhenThePaymentIsConfirmed(Status status) {
        Transaction asked = Situations.at(Operation.CASHIN, status).with(Situations.call());

        assertThat(decide(asked, answer(asked, RailCall.INQUIRE, 1, SETTLED), BY_ID, NOW)
                        .after()
                        .openCalls())
                .isEmpty();
    }

    @Test
    void aCashoutThatIsPaidAlthoughItWasNeverSubmittedIsAStray() {
        for (Status status : List.of(Status.PENDING, Status.EXPIRED)) {
            Transaction cashout = Situations.at(Operation.CASHOUT, status);

            assertThat(decide(cashout, answer(cashout, RailCall.INQUIRE, 1, SETTLED), BY_ID, NOW)
                            .strays())
                    .extracting(Stray::reason)
                    .containsExactly(Stray.Reason.NEVER_SUBMITTED);
        }
    }

    /** The rail is asked about the second submission and has not found it. */
    private static Decision notFound(Transaction again, Instant now) {
        return decide(again, answer(again, RailCall.INQUIRE, 2, now, NOT_FOUND), BY_ID, now);
    }

    /** The second submission begins at {@link Situations#NOW}. */
    private Transaction takenOver() {
        return decide(inProcess, answer(inProcess, RailCall.INQUIRE, 1, NOT_FOUND), BY_ID, NOW)
                .after();
    }

    /** The pauses between ten answers and the looks after them, each of which must call the rail by {@code expected}. */
    private static List<Duration> pauses(Transaction first, RailOutcome outcome, RailFacts facts, RailCall expected) {
        List<Duration> pauses = new ArrayList<>();
        Transaction waiting = first;
        RailRequest request = new RailRequest(RailCall.SUBMIT, null, 1, 2);
        Instant now = BEGAN;
        while (pauses.size() < 10) {
            waiting = decide(waiting, answer(waiting, request.call(), request.submission(), outcome), facts, now)
                    .after();
            pauses.add(Duration.between(now, dueAt(waiting)));
            now = dueAt(waiting);
            Decision look = decide(waiting, Situations.look(waiting), facts, now);
            request = Objects.requireNonNull(look.railRequest());
            assertThat(request.call()).isEqualTo(expected);
            waiting = look.after();
        }
        return pauses;
    }

    private static Decision decide(Transaction transaction, TransactionCommand command, RailFacts facts, Instant now) {
        return CommandRules.decide(transaction, command, facts, now);
    }

    private static Instant dueAt(Transaction transaction) {
        return Objects.requireNonNull(transaction.dueAt());
    }

    private static Entry lastEntry(Transaction transaction) {
        List<Entry> entries = transaction.history().entries();
        return entries.get(entries.size() - 1);
    }

    @Test
    void aFailedRefundThatTheRailMakesAfterAllIsAStray() {
        Transaction refunding = Situations.withRefund(Situations.at(Operation.CASHIN, Status.PAID), ALL);
        Transaction failed = decide(
                        refunding, Situations.refundAnswer(refunding, RailCall.SUBMIT, REJECTED), BY_ID, NOW)
                .after();

        Decision decision = decide(
                failed, Situations.refundAnswer(failed, RailCall.SUBMIT, RailOutcome.Settled.asAgreed()), BY_ID, NOW);

        assertThat(decision.after()).isSameAs(failed);
        assertThat(decision.strays()).extracting(Stray::reason).containsExactly(Stray.Reason.REFUNDED_AFTER_FAILURE);
    }
}
