package dev.ligeiro.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
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
        assertThat(Status.fromCode(code)).isEqualTo(status);
        assertThat(Status.findByCode(code)).contains(status);
        assertThat(status.isFinished()).isEqualTo(finished);
    }

    @ParameterizedTest
    @EnumSource
    void anOperationIsFoundByItsCode(Operation operation) {
        assertThat(Operation.fromCode(operation.code())).isEqualTo(operation);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Pending", "PENDING", "refunded", "pending "})
    void anUnknownStatusCodeIsRefused(String code) {
        assertThatThrownBy(() -> Status.fromCode(code))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(code + " (expected: a code of Status)");
        assertThat(Status.findByCode(code).isPresent()).isFalse();
    }

    @Test
    void anUnknownOperationCodeIsRefused() {
        assertThatThrownBy(() -> Operation.fromCode("cash"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("cash (expected: a code of Operation)");
    }
}
