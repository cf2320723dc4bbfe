package dev.ligeiro.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CodesTest {

    /** The codes of the statuses in the API, and whether the API shows a time in {@code finished}. */
    @ParameterizedTest(name = "{0} is {1}, finished: {2}")
    @CsvSource({
        "PENDING, pending, false",
        "PAID, paid, false",
        "DENIED, denied, true",
        "CANCELED, canceled, true",
        "REFUND, refund, true",
        "IN_PROCESS, in_process, false",
        "IN_ANALYSIS, in_analysis, false",
        "EXPIRED, expired, true",
    })
    void aStatusHasItsCode(Status status, String code, boolean finished) {
        assertThat(status.code()).isEqualTo(code);
        assertThat(Codes.get(Status.class, code)).isEqualTo(status);
        assertThat(Codes.find(Status.class, code)).contains(status);
        assertThat(status.isFinished()).isEqualTo(finished);
    }

    /** The codes of the API's problems; the history stores them too. */
    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource({
        "INVALID_TRANSITION, invalid_transition",
        "TEST_MODE_ONLY, test_mode_only",
        "REFUND_EXCEEDS_AMOUNT, refund_exceeds_amount",
        "REFUND_WINDOW_CLOSED, refund_window_closed",
        "REFUND_LIMIT_REACHED, refund_limit_reached",
        "REFUND_REFERENCE_ALREADY_USED, refund_reference_already_used",
        "IDEMPOTENCY_KEY_REUSED, idempotency_key_reused",
    })
    void aRefusalHasItsCode(ChangeRefusal refusal, String code) {
        assertThat(refusal.code()).isEqualTo(code);
        assertThat(Codes.get(ChangeRefusal.class, code)).isEqualTo(refusal);
    }

    /** The codes of the actions in the paths of the API. */
    @ParameterizedTest(name = "{0} is {1} and moves to {2}")
    @CsvSource({
        "PAY, pay, PAID",
        "DENY, deny, DENIED",
        "ANALYZE, analyze, IN_ANALYSIS",
        "EXPIRE, expire, EXPIRED",
        "REFUND, refund, REFUND",
    })
    void aSandboxActionHasItsCodeAndTarget(SandboxAction action, String code, Status target) {
        assertThat(action.code()).isEqualTo(code);
        assertThat(action.target()).isEqualTo(target);
        assertThat(new ChangeAction.Sandbox(action).target()).isEqualTo(target);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Pending", "PENDING", "refunded", "pending "})
    void anUnknownStatusCodeIsRefused(String code) {
        assertThatThrownBy(() -> Codes.get(Status.class, code))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(code + " (expected: a code of Status)");
        assertThat(Codes.find(Status.class, code).isPresent()).isFalse();
    }
}
