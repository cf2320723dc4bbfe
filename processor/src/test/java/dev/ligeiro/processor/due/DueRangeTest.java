package dev.ligeiro.processor.due;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DueRangeTest {

    private static final Instant DUE = Instant.parse("2026-03-10T14:30:00Z");

    @ParameterizedTest
    @CsvSource({
        "'', ''",
        "1-3, 1-3",
        "5-7 1-3, 1-3 5-7",
        "1-3 3-5, 1-5",
        "1-4 2-3, 1-4",
        "1-4 2-6 5-7, 1-7",
        "3-3 4-2, ''",
    })
    void rangesAreMergedInAscendingOrder(String ranges, String expected) {
        assertThat(DueRange.merged(parsed(ranges))).isEqualTo(parsed(expected == null ? "" : expected));
    }

    @ParameterizedTest
    @CsvSource({
        "2-5, 1, 9, 2-5",
        "2-5, 3, 9, 3-5",
        "2-5, 1, 4, 2-4",
        "2-5, 5, 9, ''",
        "2-5, 1, 2, ''",
    })
    void aPartLiesBetweenTheCursorAndTheLimit(String range, int lowest, int limit, String expected) {
        DueRange part = parsed(range).get(0).within(at(lowest), at(limit));

        assertThat(part.isEmpty() ? List.of() : List.of(part)).isEqualTo(parsed(expected));
    }

    @Test
    void positionsAreOrderedByDueTimeThenByIdAsMongoDbOrdersThem() {
        DueRow row = new DueRow(DUE, new TransactionId(new UUID(0x7fffffffffffffffL, -1)));
        DueRow larger = new DueRow(DUE, new TransactionId(new UUID(0x8000000000000000L, 0)));
        DueRow later = new DueRow(DUE.plusMillis(1), new TransactionId(new UUID(0, 0)));

        assertThat(List.of(
                        DuePosition.FIRST,
                        DuePosition.before(DUE),
                        DuePosition.behind(row),
                        DuePosition.behind(larger),
                        DuePosition.behind(DUE),
                        DuePosition.behind(later)))
                .isSorted();
        assertThat(DuePosition.behind(row))
                .isEqualTo(new DuePosition(DUE, larger.id().value()));
        assertThat(DuePosition.behind(DUE)).isEqualTo(DuePosition.before(later.due()));
    }

    private static List<DueRange> parsed(String ranges) {
        return ranges == null || ranges.isEmpty()
                ? List.of()
                : List.of(ranges.split(" ")).stream()
                        .map(range -> range.split("-"))
                        .map(ends -> new DueRange(at(Integer.parseInt(ends[0])), at(Integer.parseInt(ends[1]))))
                        .toList();
    }

    private static DuePosition at(int second) {
        return DuePosition.before(DUE.plusSeconds(second));
    }
}
