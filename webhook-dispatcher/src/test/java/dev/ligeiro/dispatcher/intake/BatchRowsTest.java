package dev.ligeiro.dispatcher.intake;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BatchRowsTest {

    @ParameterizedTest
    @CsvSource({
        // ended, running, not started, whether an earlier attempt was slow or failed, whether the endpoint is slow
        "0, 1, 0, false, true",
        "9, 10, 0, false, true",
        "59, 20, 400, false, true",
        "8, 2, 0, false, false",
        "8, 2, 0, true, true",
        "9, 1, 0, true, true",
        "10, 1, 0, true, false",
        // a backlog of a quick endpoint: 20 permits were in use all the time
        "80, 20, 400, true, false",
        // no attempt was made, because the tenant is at its limit
        "0, 0, 5, true, false",
    })
    void anEndpointIsSlowIfTooManyAttemptsDoNotEnd(
            int ended, int running, int notStarted, boolean again, boolean slow) {
        assertThat(BatchRows.isSlow(ended, running, notStarted, again)).isEqualTo(slow);
    }
}
