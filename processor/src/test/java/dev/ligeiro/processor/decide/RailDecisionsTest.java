package dev.ligeiro.processor.decide;

import static dev.ligeiro.processor.decide.Situations.ALL;
import static dev.ligeiro.processor.decide.Situations.ANALYSES_FIRST;
import static dev.ligeiro.processor.decide.Situations.BEGAN;
import static dev.ligeiro.processor.decide.Situations.BY_ID;
import static dev.ligeiro.processor.decide.Situations.BY_RESUBMISSION;
import static dev.ligeiro.processor.decide.Situations.EXPIRY;
import static dev.ligeiro.processor.decide.Situations.NOW;
import static dev.ligeiro.processor.decide.Situations.REMOTE;
import static dev.ligeiro.processor.decide.Situations.RESTORED;
import static dev.ligeiro.processor.decide.Situations.answer;
import static dev.ligeiro.processor.decide.Situations.decide;
import static dev.ligeiro.processor.decide.Situations.dueAt;
import static dev.ligeiro.processor.decide.Situations.takenOver;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.rail.RailFacts;
import dev.ligeiro.processor.rail.RailRequest;
import dev.ligeiro.transaction.Operation;
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
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Late answers, and answers about transactions that have their outcome; {@link DecisionGridTest} has the statuses. The rail is asked until it
 * settles a call, and a submission is repeated only when it has not arrived and never will.
 */
class RailDecisionsTest {

    private static final RailOutcome UNKNOWN = new RailOutcome.Unknown();
    private static final RailOutcome NOT_FOUND = new RailOutcome.NotFound();
    private static final RailOutcome NOT_STARTED = new RailOutcome.NotStarted();
    private static final RailOutcome REJECTED = new RailOutcome.Rejected("no_funds");
    private static final Duration PAUSE_MAX = Duration.ofMinutes(5);

    private final Transaction inProcess = Situations.at(Operation.CASHOUT, Status.IN_PROCESS);

    static Stream<RailOutcome> outcomesOtherThanSettled() {
        return Situations.outcomes().stream().filter(outcome -> !(outcome instanceof RailOutcome.Settled));
    }

    @ParameterizedTest
    @MethodSource("outcomesOtherThanSettled")
    void anAnswerToAnEarlierSubmissionChangesNothing(RailOutcome outcome) {
        Transaction again = takenOver();

        for (RailCallKind call : RailCallKind.values()) {
            assertThat(decide(again, answer(again, call, 1, outcome), BY_ID, NOW.plusSeconds(90)))
                    .isEqualTo(Decision.store(again));
        }
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
                    assertThat(decide(asked, Situations.dueCheck(asked), facts, later)
                                    .railRequest())
                            .isEqualTo(new RailRequest(
                                    RailCallKind.INQUIRE,
                                    null,
                                    1,
                                    asked.history().sequence()));

                    Decision answered = decide(asked, answer(asked, RailCallKind.INQUIRE, 1, outcome), facts, later);

                    assertThat(answered.railRequest()).isNull();
                    assertThat(answered.after().status()).isEqualTo(status);
                    boolean saysNothing =
                            outcome instanceof RailOutcome.Unknown || outcome instanceof RailOutcome.NotStarted;
                    assertThat(answered.after().railCalls().isEmpty()).isEqualTo(!saysNothing);
                    // with the fault a cashin that was paid twice kept no trace of the second payment
                    assertThat(decide(asked, answer(asked, RailCallKind.SUBMIT, 1, outcome), facts, NOW))
                            .as("a late answer to a submission does not answer the question of a notice")
                            .isEqualTo(Decision.store(asked));
                }
            }
        }
    }

    /** With the fault, the answer that told of the payment was a dead letter, and a payment without a notice waited for catch-up. */
    @Test
    void aLateAnswerToARegistrationDoesNotAnswerALaterInquiry() {
        Transaction registered = Situations.at(Operation.CASHIN, Status.PENDING).with(Situations.call());
        Instant asked = Situations.dueAt(registered);
        TransactionCommand late = answer(registered, RailCallKind.SUBMIT, 1, BEGAN, new RailOutcome.Pending());

        Transaction inquired = decide(registered, Situations.dueCheck(registered), REMOTE, asked)
                .after();
        Transaction accepted = decide(inquired, late, REMOTE, asked).after();
        Transaction paid = decide(
                        accepted,
                        answer(accepted, RailCallKind.INQUIRE, 1, asked, RailOutcome.Settled.asAgreed()),
                        REMOTE,
                        asked)
                .after();

        assertThat(accepted.railCalls()).isEqualTo(inquired.railCalls());
        assertThat(paid.status()).isEqualTo(Status.PAID);
        assertThat(paid.railCalls()).isEmpty();
        assertThat(decide(registered, late, REMOTE, asked).after().railCalls()).isEmpty();
    }

    @Test
    void aCashinDoesNotExpireByAnAnswerFromBeforeItsExpiry() {
        Transaction accepted = Situations.at(Operation.CASHIN, Status.PENDING);
        Instant now = EXPIRY.plusSeconds(9);

        Transaction waiting = decide(
                        accepted,
                        answer(accepted, RailCallKind.INQUIRE, 1, EXPIRY.minusMillis(1), new RailOutcome.Pending()),
                        BY_ID,
                        now)
                .after();

        assertThat(waiting.status()).isEqualTo(Status.PENDING);
        assertThat(decide(waiting, Situations.dueCheck(waiting), BY_ID, now).railRequest())
                .isEqualTo(new RailRequest(RailCallKind.INQUIRE, null, 1, 1));
    }

    /** A rail that is asked by resubmission is never inquired, and its pauses grow the same way. */
    @Test
    void anUnknownOutcomeIsAskedForAfterPausesOfAQuarterOfItsAgeUpTo5Minutes() {
        assertQuartersOfTheAge(pauses(BY_ID, RailCallKind.INQUIRE));
        assertQuartersOfTheAge(pauses(BY_RESUBMISSION, RailCallKind.SUBMIT));
    }

    @Test
    void notFoundOnlyWaitsBeforeTwiceTheLateArrivalSpan() {
        Instant before = NOW.minusMillis(1);

        Decision decision =
                decide(inProcess, answer(inProcess, RailCallKind.INQUIRE, 1, before, NOT_FOUND), BY_ID, before);

        assertThat(decision.railRequest()).isNull();
        assertThat(decision.after().railCall(null)).contains(Situations.call().waitingUntil(NOW));
    }

    /** Before, a submission that arrived after the inquiry was made a second time when the answer had waited in Kafka. */
    @Test
    void notFoundThatWaitedInKafkaIsAskedForAgain() {
        TransactionCommand early = answer(inProcess, RailCallKind.INQUIRE, 1, NOW.minusMillis(1), NOT_FOUND);

        Decision decision = decide(inProcess, early, BY_ID, NOW.plusSeconds(90));

        assertThat(decision.railRequest()).isNull();
        assertThat(decision.after().railCall(null)).contains(Situations.call().waitingUntil(NOW.plusSeconds(90)));
        assertThat(decide(decision.after(), Situations.dueCheck(decision.after()), BY_ID, NOW.plusSeconds(90))
                        .railRequest())
                .isEqualTo(new RailRequest(RailCallKind.INQUIRE, null, 1, 2));
    }

    static List<RailOutcome> acknowledgements() {
        return List.of(new RailOutcome.Pending(), new RailOutcome.InReview());
    }

    /** The rail's look-up may end too early or lag. With the fault, a cashout that the rail was still paying was submitted again. */
    @ParameterizedTest
    @MethodSource("acknowledgements")
    void notFoundAfterAnAcknowledgementNeverSubmitsAgain(RailOutcome acknowledgement) {
        for (RailCallKind acknowledged : RailCallKind.values()) {
            Transaction waiting = decide(inProcess, answer(inProcess, acknowledged, 1, acknowledgement), BY_ID, NOW)
                    .after();
            for (int day = 1; day <= 3; day++) {
                Instant later = NOW.plus(Duration.ofDays(day));
                Decision look = decide(waiting, Situations.dueCheck(waiting), BY_ID, later);
                assertThat(look.railRequest()).isEqualTo(new RailRequest(RailCallKind.INQUIRE, null, 1, 2));

                Decision notFound = notFound(look.after(), 1, later);
                assertThat(notFound.railRequest()).isNull();
                assertThat(notFound.after().unsettledSince()).isEqualTo(BEGAN);
                waiting = notFound.after();
            }
        }
        Transaction refunding = Situations.withRefund(Situations.at(Operation.CASHIN, Status.PAID), ALL);
        Transaction waiting = decide(
                        refunding, Situations.refundAnswer(refunding, RailCallKind.SUBMIT, acknowledgement), BY_ID, NOW)
                .after();
        assertThat(decide(waiting, Situations.refundAnswer(waiting, RailCallKind.INQUIRE, NOT_FOUND), BY_ID, NOW)
                        .railRequest())
                .isNull();
    }

    /** The rejection of a repetition does not count: the acknowledged submission may still be paid. */
    @Test
    void notFoundAfterAnAcknowledgementConfirmsNoRejection() {
        Transaction again = takenOver();
        Transaction rejected = decide(again, answer(again, RailCallKind.SUBMIT, 2, REJECTED), BY_ID, NOW)
                .after();
        Transaction acknowledged = decide(
                        rejected, answer(rejected, RailCallKind.INQUIRE, 2, new RailOutcome.Pending()), BY_ID, NOW)
                .after();

        assertThat(notFound(acknowledged, 2, NOW.plus(Duration.ofDays(1)))
                        .after()
                        .status())
                .isEqualTo(Status.IN_PROCESS);
    }

    @Test
    void anInquiryThatIsNotStartedDoesNotMakeASubmissionNotStarted() {
        Transaction waiting = decide(inProcess, answer(inProcess, RailCallKind.INQUIRE, 1, NOT_STARTED), BY_ID, NOW)
                .after();

        assertThat(decide(waiting, Situations.dueCheck(waiting), BY_ID, dueAt(waiting))
                        .railRequest())
                .isEqualTo(new RailRequest(RailCallKind.INQUIRE, null, 1, 2));
    }

    /** With the fault, the redelivered answer made the rail submit a second time without asking for the first. */
    @Test
    void theRedeliveredAnswerOfAnAnalysisDoesNotSubmitAgain() {
        Transaction analysed = Situations.at(Operation.CASHOUT, Status.IN_ANALYSIS);
        TransactionCommand answer = answer(analysed, RailCallKind.INQUIRE, 1, NOT_STARTED);
        Transaction submitted = decide(analysed, answer, ANALYSES_FIRST, NOW).after();

        Decision again = decide(submitted, answer, ANALYSES_FIRST, NOW.plusSeconds(1));

        assertThat(again.railRequest()).isNull();
        assertThat(decide(again.after(), Situations.dueCheck(again.after()), ANALYSES_FIRST, dueAt(again.after()))
                        .railRequest())
                .isEqualTo(new RailRequest(RailCallKind.INQUIRE, null, 1, 3));
    }

    /** With the fault, a bank that rejects a known id made a refund fail whose money had moved before the restore. */
    @Test
    void theRejectionOfARefundFromBeforeARestoreIsReadBack() {
        Transaction paid = Situations.at(Operation.CASHIN, Status.PAID);
        Decision asked = decide(paid, Situations.change(paid, Situations.refund(null)), RESTORED, NOW);
        RailRequest request = Objects.requireNonNull(asked.railRequest());
        assertThat(request.call()).isEqualTo(RailCallKind.INQUIRE);

        Instant later = NOW.plus(Situations.LATE_ARRIVAL.multipliedBy(2));
        Decision submitted =
                RailDecisions.decide(new Context(asked.after(), RESTORED, later), request, later, NOT_FOUND);
        RailRequest submission = Objects.requireNonNull(submitted.railRequest());
        assertThat(submission.call()).isEqualTo(RailCallKind.SUBMIT);

        assertThat(RailDecisions.decide(new Context(submitted.after(), RESTORED, later), submission, later, REJECTED)
                        .railRequest())
                .isEqualTo(new RailRequest(
                        RailCallKind.INQUIRE, request.refund(), submission.submission(), submission.sequence()));
    }

    private static void assertQuartersOfTheAge(List<Duration> pauses) {
        Duration age = Duration.ZERO;
        for (Duration pause : pauses) {
            Duration quarter = age.dividedBy(4).plus(Situations.INQUIRE_AFTER);
            assertThat(pause).isCloseTo(quarter.compareTo(PAUSE_MAX) < 0 ? quarter : PAUSE_MAX, Duration.ofMillis(50));
            age = age.plus(pause);
        }
        assertThat(pauses).first().isEqualTo(Situations.INQUIRE_AFTER);
        assertThat(pauses).last().isEqualTo(PAUSE_MAX);
    }

    /** The pauses between thirty unknown outcomes and the looks after them, each of which must call the rail by {@code expected}. */
    private List<Duration> pauses(RailFacts facts, RailCallKind expected) {
        List<Duration> pauses = new ArrayList<>();
        Transaction waiting = inProcess;
        RailRequest request = new RailRequest(RailCallKind.SUBMIT, null, 1, 2);
        Instant now = BEGAN;
        while (pauses.size() < 30) {
            waiting = decide(waiting, answer(waiting, request.call(), request.submission(), UNKNOWN), facts, now)
                    .after();
            pauses.add(Duration.between(now, dueAt(waiting)));
            now = dueAt(waiting);
            Decision look = decide(waiting, Situations.dueCheck(waiting), facts, now);
            request = Objects.requireNonNull(look.railRequest());
            assertThat(request.call()).isEqualTo(expected);
            waiting = look.after();
        }
        return pauses;
    }

    /** The rail is asked about this submission and has not found it. */
    private static Decision notFound(Transaction waiting, int submission, Instant now) {
        return decide(waiting, answer(waiting, RailCallKind.INQUIRE, submission, now, NOT_FOUND), BY_ID, now);
    }
}
