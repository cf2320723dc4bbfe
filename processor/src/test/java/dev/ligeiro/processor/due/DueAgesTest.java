package dev.ligeiro.processor.due;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DueAgesTest {

    /** The begin of a slot of 10 minutes. */
    private static final Instant DUE = Instant.parse("2026-03-10T14:30:00Z");

    private static final TransactionId ID = new TransactionId(new UUID(1, 1));

    @ParameterizedTest(name = "from {0} to {1} ms after the due time: {2}")
    @CsvSource({
        "0,       4999,    false",
        "0,       5000,    true",
        "5000,    9999,    false",
        "5000,    10000,   true",
        "10000,   19999,   false",
        "19000,   20500,   true",
        "320000,  599999,  false",
        "599000,  600000,  true", // the begin of the next slot
        "600000,  1199999, false",
        "1199999, 1200000, true",
        "0,       4000000, true",
    })
    void aRowIsRepeatedAtDoublingAgesThenEveryTenMinutes(long previous, long now, boolean expected) {
        List<DueRange> ranges = DueAges.reached(DUE.plusMillis(previous), DUE.plusMillis(now));

        assertThat(contain(ranges)).isEqualTo(expected);
    }

    /** However the time is divided into passes, a row is repeated no more often than it reaches an age. */
    @Property
    void passesAtAnyTimesRepeatARowAtMostSevenTimesInItsFirstTenMinutes(
            @ForAll @Size(max = 200) List<@IntRange(min = 1, max = 20_000) Integer> pausesMillis) {
        int repeated = 0;
        long last = 0;
        List<Integer> ages = new ArrayList<>();
        for (int pause : pausesMillis) {
            long now = last + pause;
            if (now > 599_000) {
                break;
            }
            if (contain(DueAges.reached(DUE.plusMillis(last), DUE.plusMillis(now)))) {
                repeated++;
                ages.add((int) now);
            }
            last = now;
        }
        assertThat(repeated).as("%s", ages).isLessThanOrEqualTo(7);
        if (last >= 30_000) {
            assertThat(repeated).isPositive();
        }
    }

    private static boolean contain(List<DueRange> ranges) {
        DuePosition row = new DuePosition(DUE, ID.value());
        return ranges.stream().anyMatch(range -> range.from().compareTo(row) <= 0 && row.compareTo(range.before()) < 0);
    }
}
