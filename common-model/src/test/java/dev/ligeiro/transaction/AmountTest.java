package dev.ligeiro.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Scale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AmountTest {

    @ParameterizedTest(name = "{0} is {1} cents")
    @CsvSource({
        "0, 0",
        "0.000000, 0",
        "0E+999999999, 0",
        "0.01, 1",
        "0.10, 10",
        "1, 100",
        "10.000, 1000",
        "1e2, 10000",
        "1.5E+1, 1500",
        "100E-2, 100",
        "150.75, 15075",
        "9999999999.99, 999999999999",
        "9999999999.990000, 999999999999",
    })
    void readsADecimalByItsValue(BigDecimal decimal, long cents) {
        assertThat(Amount.of(decimal).cents()).isEqualTo(cents);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "-1, expected an amount above 0",
        "-0.001, expected an amount above 0",
        "-1E+999999999, expected an amount above 0",
        "0.001, expected at most 2 decimals",
        "10.005, expected at most 2 decimals",
        "1E-999999999, expected at most 2 decimals",
        "9999999999.999, expected at most 2 decimals",
        "10000000000, expected at most 9999999999.99",
        "10000000000.00, expected at most 9999999999.99",
        "1e400, expected at most 9999999999.99",
        "1E+999999999, expected at most 9999999999.99",
    })
    void refusesOtherDecimalsWithTheRule(BigDecimal decimal, String message) {
        assertThatThrownBy(() -> Amount.of(decimal))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @ParameterizedTest(name = "{0} cents are written {1}")
    @CsvSource({
        "0, 0.00",
        "1, 0.01",
        "10, 0.10",
        "99, 0.99",
        "100, 1.00",
        "15075, 150.75",
        "999999999999, 9999999999.99"
    })
    void isWrittenWithExactlyTwoDecimals(long cents, String text) {
        assertThat(new Amount(cents)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 1_000_000_000_000L, Long.MIN_VALUE, Long.MAX_VALUE})
    void refusesCentsOutsideTheRange(long cents) {
        assertThatThrownBy(() -> new Amount(cents))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("cents: " + cents + " (expected: 0 to 999999999999)");
    }

    @Property
    void anAmountRoundTripsThroughItsText(@ForAll @LongRange(max = 999_999_999_999L) long cents) {
        Amount amount = new Amount(cents);
        assertThat(Amount.of(new BigDecimal(amount.toString()))).isEqualTo(amount);
    }

    @Property
    void aDecimalIsReadExactlyOrNotAtAll(@ForAll @Scale(4) BigDecimal decimal) {
        try {
            assertThat(BigDecimal.valueOf(Amount.of(decimal).cents(), 2)).isEqualByComparingTo(decimal);
        } catch (IllegalArgumentException refused) {
            assertThat(decimal.signum() < 0
                            || decimal.stripTrailingZeros().scale() > 2
                            || decimal.compareTo(new BigDecimal("9999999999.99")) > 0)
                    .isTrue();
        }
    }
}
