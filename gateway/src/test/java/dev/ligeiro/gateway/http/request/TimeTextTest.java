package dev.ligeiro.gateway.http.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeTextTest {

    @ParameterizedTest
    @CsvSource({
        "2026-03-10T14:30:00Z,           2026-03-10T14:30:00Z",
        "2026-03-10T11:30:00-03:00,      2026-03-10T14:30:00Z",
        "2026-03-10T14:30:00.123456789Z, 2026-03-10T14:30:00.123Z",
        "0000-01-01T00:00:00Z,           0000-01-01T00:00:00Z",
        "9999-12-31T23:59:59.999999Z,    9999-12-31T23:59:59.999Z",
    })
    void aTimeHasTheMillisecondsThatMongoDbStores(String text, Instant time) {
        assertThat(TimeText.parse(text)).isEqualTo(time);
    }

    /** Years that RFC 3339 cannot write, also after the conversion to UTC. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2026-03-10",
                "2026-03-10T14:30:00",
                "2026-02-30T14:30:00Z",
                "+10000-01-01T00:00:00Z",
                "+1000000000-01-01T00:00:00Z",
                "-0001-01-01T00:00:00Z",
                "0000-01-01T00:00:00+01:00",
                "9999-12-31T23:59:59-01:00"
            })
    void anotherTextIsRefused(String text) {
        assertThatThrownBy(() -> TimeText.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("expected a time such as 2026-03-10T14:30:00Z (RFC 3339)");
    }
}
