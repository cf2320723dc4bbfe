package dev.ligeiro.gateway.list.count;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.list.match.Span;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class CountsTest {

    @Property(tries = 300)
    void aRowIsWhereCountingOneByOneFindsIt(@ForAll @Size(max = 12) List<@IntRange(max = 5) Integer> sizes) {
        Counts counts = counts(sizes);
        int row = 0;
        for (int i = 0; i < sizes.size(); i++) {
            for (int skip = 0; skip < sizes.get(i); skip++) {
                assertThat(counts.find(row++))
                        .contains(new Counts.Position(counts.segments().get(i), skip));
            }
        }
        assertThat(counts.find(row)).isEmpty();
        assertThat(counts.total()).isEqualTo(row);
    }

    @Property(tries = 300)
    void olderSegmentsAndTheOneOfATimeHoldAllMatchesUpToIt(
            @ForAll @Size(max = 12) List<@IntRange(max = 5) Integer> sizes, @ForAll @IntRange(max = 130) int at) {
        Counts counts = counts(sizes);
        long older = 0;
        for (Segment segment : counts.segments()) {
            older += segment.before() <= at ? segment.count() : 0;
        }

        assertThat(counts.before(at)).isEqualTo(older);
        assertThat(counts.containing(at).isPresent()).isEqualTo(at < sizes.size() * 10);
    }

    @Property(tries = 300)
    void spansWithMatchesAreThoseOfTheSegmentsWithMatches(
            @ForAll @Size(max = 12) List<@IntRange(max = 2) Integer> sizes,
            @ForAll @IntRange(max = 130) int from,
            @ForAll @IntRange(max = 130) int before) {
        Counts counts = counts(sizes);
        List<Span> spans = counts.spansWithMatches(Span.ofMillis(from, before));

        for (int at = 0; at < 130; at++) {
            int milli = at;
            TransactionId id = TransactionId.at(Instant.ofEpochMilli(at));
            boolean hasMatches = from <= at
                    && at < before
                    && counts.containing(milli).filter(it -> it.count() > 0).isPresent();
            assertThat(spans.stream().filter(span -> span.contains(id)).count()).isEqualTo(hasMatches ? 1 : 0);
        }
    }

    /** Segments of 10 ms each, the newest first, down to 0. */
    private static Counts counts(List<Integer> sizes) {
        List<Segment> segments = new ArrayList<>();
        long before = sizes.size() * 10L;
        for (int size : sizes) {
            segments.add(new Segment(before - 10, before, size, null));
            before -= 10;
        }
        return new Counts(segments);
    }
}
