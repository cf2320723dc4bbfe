package dev.ligeiro.processor.decide;

import static dev.ligeiro.processor.decide.Situations.ALL;
import static dev.ligeiro.processor.decide.Situations.BY_ID;
import static dev.ligeiro.processor.decide.Situations.NOW;
import static dev.ligeiro.processor.decide.Situations.answer;
import static dev.ligeiro.processor.decide.Situations.decide;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Refund;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the rail says about money that has moved is applied once, and the rest is an unmatched payment. */
class SettledDecisionsTest {

    private static final RailOutcome REJECTED = new RailOutcome.Rejected("no_funds");
    private static final RailOutcome SETTLED = RailOutcome.Settled.asAgreed();

    @ParameterizedTest
    @EnumSource(names = {"CANCELED", "DENIED"})
    void aCashinThatIsPaidAfterItsEndIsAnUnmatchedPayment(Status end) {
        Transaction ended = Situations.at(Operation.CASHIN, end);

        assertThat(decide(ended, answer(ended, RailCallKind.SUBMIT, 1, SETTLED), BY_ID, NOW))
                .isEqualTo(Decision.unmatched(
                        ended,
                        Situations.unmatched(
                                ended, ended.endToEndId(), ALL, UnmatchedPayment.Reason.PAID_AFTER_ITS_END)));
    }

    @Test
    void aCashoutThatIsPaidAlthoughItWasNeverSubmittedIsAnUnmatchedPayment() {
        for (Status status : List.of(Status.PENDING, Status.EXPIRED)) {
            Transaction cashout = Situations.at(Operation.CASHOUT, status);

            assertThat(decide(cashout, answer(cashout, RailCallKind.INQUIRE, 1, SETTLED), BY_ID, NOW)
                            .unmatched())
                    .extracting(UnmatchedPayment::reason)
                    .containsExactly(UnmatchedPayment.Reason.NEVER_SUBMITTED);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"PAID", "REFUND", "DENIED", "CANCELED"})
    void theQuestionAfterANoticeEndsWhenThePaymentIsConfirmed(Status status) {
        Transaction asked = Situations.at(Operation.CASHIN, status).with(Situations.call());

        assertThat(decide(asked, answer(asked, RailCallKind.INQUIRE, 1, SETTLED), BY_ID, NOW)
                        .after()
                        .railCalls())
                .isEmpty();
    }

    @Test
    void paymentsThatAnOutcomeDoesNotExplainAreUnmatchedPaymentsAndTheOutcomeCounts() {
        Transaction expired = Situations.at(Operation.CASHIN, Status.EXPIRED);
        Amount other = new Amount(ALL.cents() - 1);
        RailOutcome answer = new RailOutcome.Surplus(
                List.of(new RailOutcome.Payment("E2", ALL), new RailOutcome.Payment("E3", other)), SETTLED);

        Decision decision = decide(expired, answer(expired, RailCallKind.INQUIRE, 1, answer), BY_ID, NOW);

        assertThat(decision.after().status()).isEqualTo(Status.PAID);
        assertThat(decision.unmatched())
                .containsExactly(
                        Situations.unmatched(expired, "E2", ALL, UnmatchedPayment.Reason.PAID_TWICE),
                        Situations.unmatched(expired, "E3", other, UnmatchedPayment.Reason.OTHER_AMOUNT));
    }

    @ParameterizedTest
    @EnumSource(Operation.class)
    void moneyThatTheRailReturnedIsARefundOnce(Operation operation) {
        Transaction paid = Situations.at(operation, Status.PAID);
        TransactionCommand returned =
                answer(paid, RailCallKind.INQUIRE, 1, Situations.settledAndReturned("D1", new Amount(5_000)));

        Transaction refunded = decide(paid, returned, BY_ID, NOW).after();

        assertThat(refunded.status()).isEqualTo(Status.PAID);
        assertThat(refunded.railCalls()).isEmpty();
        assertThat(refunded.history().refunds())
                .extracting(Refund::amount, Refund::source, Refund::state)
                .containsExactly(tuple(new Amount(5_000), Source.RAIL, Refund.State.REFUNDED));
        assertThat(decide(refunded, returned, BY_ID, NOW.plusSeconds(9))).isEqualTo(Decision.store(refunded));
    }

    /** With the fault, each answer about a refunded cashin became a dead letter, and a paid one was announced as refunded by 0.00. */
    @ParameterizedTest
    @EnumSource(names = {"PAID", "REFUND"})
    void aReturnOfNothingChangesNothing(Status status) {
        Transaction transaction = Situations.at(Operation.CASHIN, status);
        RailOutcome nothing = Situations.settledAndReturned("D1", Amount.ZERO);

        assertThat(decide(transaction, answer(transaction, RailCallKind.INQUIRE, 1, nothing), BY_ID, NOW))
                .isEqualTo(Decision.store(transaction));
    }

    @Test
    void eachReturnOfTooMuchIsAnUnmatchedPaymentAndTheOthersAreRefunds() {
        Transaction paid = Situations.at(Operation.CASHIN, Status.PAID);
        Amount tooMuch = new Amount(ALL.cents() + 1);
        RailOutcome settled = new RailOutcome.Settled(
                null,
                List.of(
                        new RailOutcome.Returned("D1", tooMuch),
                        new RailOutcome.Returned("D2", new Amount(100)),
                        new RailOutcome.Returned("D3", ALL)));

        Decision decision = decide(paid, answer(paid, RailCallKind.INQUIRE, 1, settled), BY_ID, NOW);

        assertThat(decision.after().history().refunds())
                .extracting(Refund::amount)
                .containsExactly(new Amount(100));
        assertThat(decision.unmatched())
                .extracting(UnmatchedPayment::endToEndId, UnmatchedPayment::amount, UnmatchedPayment::reason)
                .containsExactlyInAnyOrder(
                        tuple(paid.endToEndId() + "/D1", tooMuch, UnmatchedPayment.Reason.RETURNED_TOO_MUCH),
                        tuple(paid.endToEndId() + "/D3", ALL, UnmatchedPayment.Reason.RETURNED_TOO_MUCH));
    }

    /** With the fault, it was recorded as too much, and was a refund too once the merchant's refund had failed: counted twice. */
    @Test
    void whatTheRailReturnedWaitsForTheRefundUnderWay() {
        Transaction refunding = Situations.withRefund(Situations.at(Operation.CASHIN, Status.PAID), ALL);
        TransactionCommand returned =
                answer(refunding, RailCallKind.INQUIRE, 1, Situations.settledAndReturned("D1", new Amount(5_000)));

        Decision waiting = decide(refunding, returned, BY_ID, NOW);

        assertThat(waiting.unmatched()).isEmpty();
        assertThat(waiting.after().history()).isEqualTo(refunding.history());
        assertThat(waiting.after().railCall(null)).isPresent();

        Transaction failed = decide(
                        waiting.after(),
                        Situations.refundAnswer(waiting.after(), RailCallKind.SUBMIT, REJECTED),
                        BY_ID,
                        NOW)
                .after();
        Decision settled = decide(
                failed,
                answer(failed, RailCallKind.INQUIRE, 1, Situations.settledAndReturned("D1", new Amount(5_000))),
                BY_ID,
                NOW);

        assertThat(settled.unmatched()).isEmpty();
        assertThat(settled.after().railCalls()).isEmpty();
        assertThat(settled.after().history().refunds())
                .extracting(Refund::amount, Refund::state)
                .containsExactly(tuple(ALL, Refund.State.FAILED), tuple(new Amount(5_000), Refund.State.REFUNDED));
    }

    @Test
    void aFailedRefundThatTheRailMakesAfterAllIsAnUnmatchedPayment() {
        Transaction refunding = Situations.withRefund(Situations.at(Operation.CASHIN, Status.PAID), ALL);
        Transaction failed = decide(
                        refunding, Situations.refundAnswer(refunding, RailCallKind.SUBMIT, REJECTED), BY_ID, NOW)
                .after();

        Decision decision = decide(
                failed,
                Situations.refundAnswer(failed, RailCallKind.SUBMIT, RailOutcome.Settled.asAgreed()),
                BY_ID,
                NOW);

        assertThat(decision.after()).isSameAs(failed);
        assertThat(decision.unmatched())
                .extracting(UnmatchedPayment::reason)
                .containsExactly(UnmatchedPayment.Reason.REFUNDED_AFTER_FAILURE);
    }

    /** A rail lists the refunds that it was asked for too, by the id that it was given. */
    @Test
    void aListedRefundThatWasAskedForEndsIt() {
        Transaction refunding = Situations.withRefund(Situations.at(Operation.CASHIN, Status.PAID), new Amount(400));
        String id = Situations.REFUND.toString().replace("-", "");
        TransactionCommand listed = Situations.answer(
                refunding, RailCallKind.INQUIRE, 1, Situations.settledAndReturned(id, new Amount(400)));

        Transaction refunded = decide(refunding, listed, BY_ID, NOW).after();

        assertThat(refunded.history().refunds()).extracting(Refund::state).containsExactly(Refund.State.REFUNDED);
        assertThat(refunded.railCalls()).isEmpty();
        assertThat(decide(refunded, listed, BY_ID, NOW).after()).isEqualTo(refunded);
        // with the fault, in upper case it was another refund, by the rail
        TransactionCommand shouted = Situations.answer(
                refunded,
                RailCallKind.INQUIRE,
                1,
                Situations.settledAndReturned(id.toUpperCase(Locale.ROOT), new Amount(400)));
        assertThat(decide(refunded, shouted, BY_ID, NOW).after()).isEqualTo(refunded);
    }
}
