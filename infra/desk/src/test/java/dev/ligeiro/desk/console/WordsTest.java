package dev.ligeiro.desk.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WordsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "none",
            value = {
                "1.000,00     | 1000.00",
                "R$ 1.234.567,8 | 1234567.80",
                "1000         | 1000.00",
                "1,000.00     | 1000.00",
                "12,5         | 12.50",
                "12.5         | 12.50",
                "1.000        | 1000.00",
                "0            | none",
                "-1           | none",
                "1.00,00      | none",
                "12,345,6     | none",
                "x            | none",
            })
    void amountsAreReadAsPeopleWriteThem(String text, String amount) {
        assertThat(Words.amountOf(text)).isEqualTo(amount == null ? null : new BigDecimal(amount));
    }
}
