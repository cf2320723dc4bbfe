package dev.ligeiro.gateway.api.list.match;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChunkSizeTest {

    @ParameterizedTest
    @CsvSource({
        // read, matched, missing, next size, rare
        "0, 0, 101, 250, false",
        "0, 0, 1101, 1101, false",
        "250, 0, 101, 500, true",
        "4000, 0, 101, 5000, true",
        "250, 250, 101, 250, false",
        "250, 25, 101, 1262, false",
        "250, 5, 101, 5000, true",
        "250, 5, 10, 625, false",
        "1, 0, 101, 250, true",
    })
    void followsTheRateOfTheLastStep(int read, int matched, long missing, int size, boolean rare) {
        ChunkSize chunk = new ChunkSize(read, matched);

        assertThat(chunk.next(missing)).isEqualTo(size);
        assertThat(chunk.areMatchesRare(missing)).isEqualTo(rare);
    }
}
