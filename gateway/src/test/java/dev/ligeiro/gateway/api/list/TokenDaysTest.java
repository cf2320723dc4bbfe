package dev.ligeiro.gateway.api.list;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenDaysTest {

    private static final long DAY = Duration.ofDays(1).toMillis();

    /** Days with fractions, the newest span first: "7.5-8 3-4". */
    private static List<Span> spans(String text) {
        List<Span> spans = new ArrayList<>();
        for (String each : text.split(" ")) {
            String[] ends = each.split("-");
            spans.add(Span.ofMillis(
                    (long) (Double.parseDouble(ends[0]) * DAY), (long) (Double.parseDouble(ends[1]) * DAY)));
        }
        return spans;
    }

    /** Today is day 20, and the tenant's first transaction is of day 10. */
    @ParameterizedTest(name = "{0}, days from {1}: {2}")
    @CsvSource({
        "15-16,               0,  15",
        "15-15.5,             0,  15",
        "15-16.1,             0,  16 15",
        "15.5-18,             0,  17 16 15",
        "15.5-17.5,           0,  17 16 15",
        "9-12,                0,  11 10",
        "0-9,                 0,  ''",
        "19-40,               0,  20 19",
        "21-40,               0,  ''",
        "16-18 12-13,         0,  17 16 12",
        "16.5-17 16.2-16.4,   0,  16",
        "16.5-17 15.2-16.4,   0,  16 15",
        "15-18,               15, 17 16 15",
        "15-18,               16, 17 16 without",
        "15-18,               18, without",
        "9-12,                10, 11 10",
        "0-9,                 99, ''",
        "21-40,               99, ''",
        "16-18 12-13,         17, 17 without",
        "16.5-17 16.2-16.4,   17, without",
        "17-18 12-13 11-12,   17, 17 without",
    })
    void daysOfSpansTheNewestFirst(String spans, long from, String expected) {
        assertThat(new TokenDays(from, 20)
                        .of(spans(spans), 10).stream()
                                .map(day -> day == -1 ? "without" : day.toString())
                                .collect(Collectors.joining(" ")))
                .isEqualTo(expected);
    }
}
