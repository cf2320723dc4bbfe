package dev.ligeiro.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class WordsTest {

    /** The words of specification §3, and whether a transaction that has one shows when it was finished. */
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
    void aStatusHasItsWord(Status status, String word, boolean finished) {
        assertThat(status.word()).isEqualTo(word);
        assertThat(Status.ofWord(word)).isEqualTo(status);
        assertThat(status.isFinished()).isEqualTo(finished);
    }

    @ParameterizedTest
    @EnumSource
    void anOperationIsFoundByItsWord(Operation operation) {
        assertThat(Operation.ofWord(operation.word())).isEqualTo(operation);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Pending", "PENDING", "refunded", "pending "})
    void aWordThatIsNoStatusIsRefused(String word) {
        assertThatThrownBy(() -> Status.ofWord(word))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(word + " (expected: a word of Status)");
    }

    @Test
    void aWordThatIsNoOperationIsRefused() {
        assertThatThrownBy(() -> Operation.ofWord("cash"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("cash (expected: a word of Operation)");
    }
}
