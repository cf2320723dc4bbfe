package dev.ligeiro.gateway.api.change;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.ChangeRefusal;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChangeProblemsTest {

    private static final ChangeAction REFUND = new ChangeAction.Refund(new Amount(5000), "return-1", null);

    @ParameterizedTest
    @CsvSource({
        "INVALID_TRANSITION,            409",
        "TEST_MODE_ONLY,                403",
        "REFUND_EXCEEDS_AMOUNT,         409",
        "REFUND_WINDOW_CLOSED,          409",
        "REFUND_LIMIT_REACHED,          409",
        "REFUND_REFERENCE_ALREADY_USED, 409",
        "IDEMPOTENCY_KEY_REUSED,        422",
    })
    void eachRefusalHasItsCodeAndStatus(ChangeRefusal refusal, int status) {
        Problem problem = ChangeProblems.of(refusal, Transactions.partlyRefundedCashin(), REFUND);

        assertThat(problem.code().code()).isEqualTo(refusal.code());
        assertThat(problem.code().status().value()).isEqualTo(status);
    }

    @Test
    void anInvalidTransitionNamesFromToAndAllowed() {
        Problem problem = ChangeProblems.of(
                ChangeRefusal.INVALID_TRANSITION, Transactions.partlyRefundedCashin(), new ChangeAction.Cancel());

        assertThat(problem.extensions())
                .containsEntry("from", "paid")
                .containsEntry("to", "canceled")
                .containsEntry("allowed", List.of("refund"));
    }

    @Test
    void aRefundOfACashoutIsNotAmongTheAllowedMoves() {
        Transaction paid = Transactions.goldenCashout()
                .moveTo(Status.IN_PROCESS, Transactions.CREATED_AT, Source.SYSTEM)
                .moveTo(Status.PAID, Transactions.CREATED_AT, Source.RAIL);

        Problem problem = ChangeProblems.of(ChangeRefusal.INVALID_TRANSITION, paid, REFUND);

        assertThat(problem.detail()).isEqualTo("A cashout that is paid cannot become refund by this request");
        assertThat(problem.extensions()).containsEntry("allowed", List.of());
    }

    /** Of 150.75, 50.00 are refunded; the refund of 20.00 has failed. */
    @Test
    void tooMuchNamesWhatIsLeft() {
        Problem problem =
                ChangeProblems.of(ChangeRefusal.REFUND_EXCEEDS_AMOUNT, Transactions.partlyRefundedCashin(), REFUND);

        assertThat(problem.extensions()).containsEntry("refundable_amount", "100.75");
    }

    @Test
    void aUsedReferenceNamesItsRefund() {
        Problem problem = ChangeProblems.of(
                ChangeRefusal.REFUND_REFERENCE_ALREADY_USED, Transactions.partlyRefundedCashin(), REFUND);

        assertThat(problem.extensions()).containsEntry("refund_id", Transactions.REFUND);
    }
}
