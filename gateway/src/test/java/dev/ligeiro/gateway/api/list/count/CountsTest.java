package dev.ligeiro.gateway.api.list.count;

import static org.assertj.core.api.Assertions.assertThat;

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
    void segmentsWithMatchesAreJoinedUnlessTheyAreSplit(
            @ForAll @Size(max = 12) List<@IntRange(max = 2) Integer> sizes, @ForAll @IntRange(max = 12) int split) {
        List<Segment> all = new ArrayList<>(counts(sizes).segments());
        if (split < all.size()) {
            Segment plain = all.get(split);
            all.set(split, new Segment(plain.from(), plain.before(), plain.count(), Slice.day(split)));
        }
        List<Segment> joined = new Counts(all).withMatches();

        for (Segment segment : all) {
            List<Segment> containing = joined.stream()
                    .filter(it -> it.from() <= segment.from() && segment.before() <= it.before())
                    .toList();
            assertThat(containing).hasSize(segment.count() > 0 ? 1 : 0);
            if (segment.split() != null && segment.count() > 0) {
                assertThat(containing).containsExactly(segment);
            }
        }
        assertThat(new Counts(joined).total()).isEqualTo(new Counts(all).total());
        for (int i = 1; i < joined.size(); i++) {
            assertThat(joined.get(i - 1).canJoin(joined.get(i))).isFalse();
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
