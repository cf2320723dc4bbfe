package dev.ligeiro.pix;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Crc16Test {

    @ParameterizedTest
    @CsvSource({"123456789, 29B1", "'', FFFF", "A, B915"})
    void isTheCcittFalseVariant(String text, String hex) {
        assertThat(Crc16.of(text)).isEqualTo(Integer.parseInt(hex, 16));
    }
}
