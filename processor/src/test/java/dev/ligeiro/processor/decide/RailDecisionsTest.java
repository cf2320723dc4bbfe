package dev.ligeiro.processor.decide;

import static dev.ligeiro.processor.decide.Situations.BEGAN;
import static dev.ligeiro.processor.decide.Situations.BY_ID;
import static dev.ligeiro.processor.decide.Situations.BY_RESUBMISSION;
import static dev.ligeiro.processor.decide.Situations.EXPIRY;
import static dev.ligeiro.processor.decide.Situations.NOW;
import static dev.ligeiro.processor.decide.Situations.REMOTE;
import static dev.ligeiro.processor.decide.Situations.answer;
import static dev.ligeiro.processor.decide.Situations.decide;
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
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Late answers, and answers about transactions that have their outcome; {@link DecisionGridTest} has the statuses. */
class RailDecisionsTest {

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
                }
            }
        }
    }

    /** With the fault a cashin that was paid twice kept no trace of the second payment. */
    @ParameterizedTest
    @MethodSource("outcomesOtherThanSettled")
    void aLateAnswerToASubmissionDoesNotAnswerTheQuestionOfANotice(RailOutcome outcome) {
        for (Operation operation : Operation.values()) {
            for (Status status : List.of(Status.PAID, Status.REFUND, Status.EXPIRED, Status.DENIED, Status.CANCELED)) {
                Transaction asked = Situations.at(operation, status).with(Situations.call());

                assertThat(decide(asked, answer(asked, RailCallKind.SUBMIT, 1, outcome), BY_ID, NOW))
                        .isEqualTo(Decision.store(asked));
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
}
