package dev.ligeiro.gateway.operator.attention;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgeTextTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0 s",
        "59, 59 s",
        "60, 1 min",
        "3599, 59 min",
        "3600, 1 h",
        "3660, 1 h 1 min",
        "86400, 1 d",
        "97200, 1 d 3 h",
        "-90, −1 min"
    })
    void agesHaveTheirTwoLargestUnits(long seconds, String text) {
        assertThat(AgeText.of(Duration.ofSeconds(seconds))).isEqualTo(text);
    }
}
