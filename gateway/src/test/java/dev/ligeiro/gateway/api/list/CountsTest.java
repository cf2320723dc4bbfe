package dev.ligeiro.gateway.api.list;

import static org.assertj.core.api.Assertions.assertThat;

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
    void timesWithMatchesAreJoined(
            @ForAll @Size(max = 12) List<@IntRange(max = 2) Integer> sizes,
            @ForAll @IntRange(max = 130) int from,
            @ForAll @IntRange(max = 130) int before) {
        Counts counts = counts(sizes);
        Span span = Span.ofMillis(from, before);
        List<Span> joined = counts.withMatches(span);

        for (int at = 0; at < 130; at++) {
            TransactionId id = TransactionId.at(Instant.ofEpochMilli(at));
            boolean matches = span.contains(id)
                    && counts.containing(id).filter(part -> part.count() > 0).isPresent();
            assertThat(joined.stream().filter(each -> each.contains(id))).hasSize(matches ? 1 : 0);
        }
        for (int i = 1; i < joined.size(); i++) {
            assertThat(joined.get(i - 1).from()).isGreaterThan(joined.get(i).before());
        }
    }

    /** Parts of 10 ms each, the newest first, down to 0. */
    private static Counts counts(List<Integer> sizes) {
        List<Counts.Part> parts = new ArrayList<>();
        long before = sizes.size() * 10L;
        for (int size : sizes) {
            parts.add(new Counts.Part(Span.ofMillis(before - 10, before), size));
            before -= 10;
        }
        return new Counts(parts);
    }
}
