package dev.ligeiro.infra.launcher.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OutputPatternTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "paid | paid | true",
                "paid | denied | false",
                "paid | paid twice | false",
                "{\"a\":1,…} | {\"a\":1,\"b\":2} | true",
                "{\"a\":1,…} | {\"a\":2,\"b\":2} | false",
                "id 01a1fe4e-012d-7ff7-beac-1463f62e010d | id 019cd827-d553-7abc-9def-0123456789ab | true",
                "id 01a1fe4e-012d-7ff7-beac-1463f62e010d | id none | false",
                "at 2026-11-21 10:31:28 | at 2027-01-02 03:04:05 | true",
                "ready after 1.7 s | ready after 12.0 s | true",
                "stop: `kill 26782` | stop: `kill 7` | true",
            })
    void matchesTheSameTextWithOtherIdsAndTimes(String shown, String output, boolean expected) {
        assertThat(OutputPattern.of(List.of(shown)).matches(output)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"'a,b', true", "'a, b', true", "'a,c', false"})
    void aBrokenLineMayBeOneLine(String output, boolean expected) {
        assertThat(OutputPattern.of(List.of("a,", "  b")).matches(output)).isEqualTo(expected);
    }
}
