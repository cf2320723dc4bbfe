package dev.ligeiro.gateway.api.list.count;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.api.list.match.Span;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class CoverTest {

    private static final long MINUTE = 60_000;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;
    private static final long START = 20_000 * DAY;

    @Property(tries = 300)
    void slicesAndEndsCoverARangeExactlyOnce(
            @ForAll @LongRange(max = 5 * DAY) long from,
            @ForAll @LongRange(max = 5 * DAY) long length,
            @ForAll @LongRange(max = 12 * DAY) long settled) {
        Cover cover = Cover.of(Span.ofMillis(START + from, START + from + length), START + settled);

        long end = cover.slicesBefore();
        for (Slice slice : slices(cover)) {
            assertThat(slice.before()).isEqualTo(end);
            end = slice.from();
        }
        assertThat(end).isEqualTo(cover.slicesFrom());
        assertThat(cover.from()).isEqualTo(START + from).isLessThanOrEqualTo(cover.slicesFrom());
        assertThat(cover.before()).isEqualTo(START + from + length).isGreaterThanOrEqualTo(cover.slicesBefore());
        assertThat(cover.slicesFrom() - cover.from()).isLessThan(MINUTE);
        assertThat(cover.slicesBefore()).isLessThanOrEqualTo(Math.max(cover.from(), START + settled));
    }

    @Property(tries = 100)
    void eachSliceIsInTheDayOfItsKey(
            @ForAll @LongRange(max = 5000) long from, @ForAll @LongRange(max = 5000) long length) {
        long start = START + from * MINUTE;
        Cover cover = Cover.of(Span.ofMillis(start, start + length * MINUTE), Long.MAX_VALUE);

        for (Cover.Day day : cover.days()) {
            assertThat(day.slices()).allSatisfy(slice -> {
                assertThat(slice.from()).isGreaterThanOrEqualTo(day.epochDay() * DAY);
                assertThat(slice.before()).isLessThanOrEqualTo((day.epochDay() + 1) * DAY);
                assertThat(slice.from())
                        .isEqualTo(day.epochDay() * DAY + slice.numberInDay() * (slice.before() - slice.from()));
            });
        }
    }

    @Property(tries = 50)
    void childrenCoverTheirSliceExactlyOnce(@ForAll @LongRange(min = -1000, max = 1_000_000) long number) {
        for (Slice slice : List.of(Slice.day(number), new Slice(Slice.Unit.HOUR, number))) {
            List<Slice> oldestFirst = new ArrayList<>(slice.children());
            Collections.reverse(oldestFirst);
            long start = slice.from();
            for (Slice child : oldestFirst) {
                assertThat(child.from()).isEqualTo(start);
                start = child.before();
            }
            assertThat(start).isEqualTo(slice.before());
        }
    }

    @Test
    void aDayInAnotherTimeZoneHasItsHoursAndNoDay() {
        List<Slice> slices = slices(Cover.of(Span.ofMillis(START + 3 * HOUR, START + DAY + 3 * HOUR), Long.MAX_VALUE));

        assertThat(slices).hasSize(24).allSatisfy(slice -> assertThat(slice.unit())
                .isEqualTo(Slice.Unit.HOUR));
    }

    @Test
    void aYearHasItsDays() {
        assertThat(slices(Cover.of(Span.ofMillis(START, START + 365 * DAY), Long.MAX_VALUE)))
                .hasSize(365);
    }

    private static List<Slice> slices(Cover cover) {
        return cover.days().stream().flatMap(day -> day.slices().stream()).toList();
    }
}
