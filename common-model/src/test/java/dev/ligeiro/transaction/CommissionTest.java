package dev.ligeiro.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.RoundingMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommissionTest {

    @ParameterizedTest(name = "{1} millionths of {0} cents and {2} cents: {3}")
    @CsvSource({
        // amount, millionths, fixed, expected (cents)
        "15075,        10000,   0,            151", // 150.75: up
        "15025,        10000,   0,            150", // 150.25: down
        "50,           10000,   0,            0", //   0.5: half goes to the even 0
        "150,          10000,   0,            2", //   1.5: half goes to the even 2
        "250,          10000,   0,            2", //   2.5: half goes to the even 2
        "251,          10000,   0,            3", //   2.51: up
        "350,          10000,   0,            4", //   3.5: half goes to the even 4
        "100,          0,       35,           35",
        "1000,         10000,   35,           45",
        "1,            1000000, 0,            1",
        "0,            1000000, 7,            7",
        "999999999999, 1000000, 0,            999999999999",
        "999999999999, 1000000, 1,            999999999999", // limited to the largest amount
        "999999999999, 1000000, 999999999999, 999999999999",
    })
    void isAShareRoundedHalfToEvenPlusAFixedPart(long amount, long millionths, long fixed, long expected) {
        assertThat(new Commission(millionths, new Amount(fixed))
                        .on(new Amount(amount))
                        .cents())
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 1_000_001, Long.MAX_VALUE})
    void aShareIsFrom0To100Percent(long millionths) {
        assertThatThrownBy(() -> new Commission(millionths, Amount.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("millionths: " + millionths + " (expected: 0 to 1000000)");
    }

    @Property
    void equalsTheResultOfDecimalArithmetic(
            @ForAll @LongRange(max = 999_999_999_999L) long amount,
            @ForAll @LongRange(max = 1_000_000) long millionths,
            @ForAll @LongRange(max = 1_000_000) long fixed) {
        long expected = BigDecimal.valueOf(amount)
                .multiply(BigDecimal.valueOf(millionths, 6))
                .setScale(0, RoundingMode.HALF_EVEN)
                .add(BigDecimal.valueOf(fixed))
                .min(BigDecimal.valueOf(Amount.MAX.cents()))
                .longValueExact();
        assertThat(new Commission(millionths, new Amount(fixed))
                        .on(new Amount(amount))
                        .cents())
                .isEqualTo(expected);
    }
}
