package dev.ligeiro.dispatcher.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryAfterTest {

    private static final Instant NOW = Instant.parse("2026-03-10T14:30:00Z");

    /** The obsolete forms pad a day of one digit with a space (RFC 9110 §5.6.7). */
    @Test
    void aDayOfOneDigit() {
        Instant march = Instant.parse("2026-03-08T14:30:00Z");
        assertThat(RetryAfter.parse("Sun Mar  8 14:31:30 2026", march, Duration.ofHours(24)))
                .isEqualTo(Duration.ofSeconds(90));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "120                              | PT2M",
                "0                                | PT0S",
                " 5                               | PT5S",
                "Tue, 10 Mar 2026 14:31:30 GMT    | PT1M30S",
                "Tuesday, 10-Mar-26 14:31:30 GMT  | PT1M30S",
                "Tue Mar 10 14:31:30 2026         | PT1M30S",
                "Tue, 10 Mar 2026 16:31:30 +0200  | PT1M30S",
                "Tuesday, 10-Mar-26 14:31:30      |",
                "Tue, 10 Mar 2026 14:29:30 GMT    |",
                "Sun Mar  8 14:31:30 2026         |",
                "86401                            | PT24H",
                "Thu, 12 Mar 2026 14:30:00 GMT    | PT24H",
                "-5                               |",
                "1.5                              |",
                "soon                             |",
                "-99999999999999999999            |",
                "2147483648                       | PT24H",
                "9223372036854775808              | PT24H",
                "99999999999999999999             | PT24H",
                "00000000000000000120             | PT2M",
                "Fri, 31 Dec 9999 23:59:59 GMT    | PT24H",
                "Fri, 31 Dec 99999999999 23:59:59 GMT |",
                "                                 |",
            })
    void secondsOrADate(@Nullable String header, @Nullable Duration expected) {
        assertThat(RetryAfter.parse(header, NOW, Duration.ofHours(24))).isEqualTo(expected);
    }
}
