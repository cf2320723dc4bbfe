package dev.ligeiro.gateway.api.list.match;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChunkSizeTest {

    @ParameterizedTest
    @CsvSource({
        // read, matched, missing, next size
        "0, 0, 101, 250",
        "0, 0, 1101, 1101",
        "250, 0, 101, 500",
        "4000, 0, 101, 5000",
        "250, 250, 101, 250",
        "250, 25, 101, 1262",
        "250, 5, 101, 5000",
        "250, 5, 10, 625",
        "1, 0, 101, 250",
    })
    void followsTheRateOfTheLastStep(int read, int matched, long missing, int size) {
        ChunkSize chunk = new ChunkSize(read, matched);

        assertThat(chunk.next(missing)).isEqualTo(size);
    }
}
