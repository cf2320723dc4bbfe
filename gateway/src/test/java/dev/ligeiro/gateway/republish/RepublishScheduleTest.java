package dev.ligeiro.gateway.republish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.republish.RepublishSchedule.Span;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class RepublishScheduleTest {

    private static final List<Duration> DEFAULT_AGES = List.of(
            Duration.ofSeconds(30),
            Duration.ofMinutes(2),
            Duration.ofMinutes(10),
            Duration.ofHours(1),
            Duration.ofHours(6),
            Duration.ofHours(24),
            Duration.ofHours(72));
    private static final Instant START = Instant.parse("2026-03-10T12:00:00Z");

    private final RepublishSchedule schedule = new RepublishSchedule(DEFAULT_AGES);

    @Test
    void aPassCoversTransactionsThatReachedAnAgeSinceThePreviousPass() {
        List<Span> spans = schedule.spans(START, START.plusSeconds(5));

        assertThat(spans).hasSize(7);
        assertThat(spans.get(6)).isEqualTo(new Span(START.minusSeconds(30), START.minusSeconds(25)));
        assertThat(spans.get(0)).isEqualTo(new Span(START.minusSeconds(72 * 3600), START.minusSeconds(72 * 3600 - 5)));
    }

    @Test
    void afterALongGapTheSpansBecomeOne() {
        assertThat(schedule.spans(Instant.EPOCH, START))
                .containsExactly(new Span(Instant.EPOCH.minus(Duration.ofHours(72)), START.minusSeconds(30)));
    }

    @Test
    void withoutElapsedTimeThereAreNoSpans() {
        assertThat(schedule.spans(START, START)).isEmpty();
        assertThat(schedule.spans(START, START.minusSeconds(1))).isEmpty();
    }

    /** Seconds between passes: mostly few, sometimes days, as when every gateway was down. */
    @Provide
    Arbitrary<List<Long>> gaps() {
        return Arbitraries.frequencyOf(
                        net.jqwik.api.Tuple.of(6, Arbitraries.longs().between(1, 10_000)),
                        net.jqwik.api.Tuple.of(2, Arbitraries.longs().between(10_000, 7_200_000)),
                        net.jqwik.api.Tuple.of(1, Arbitraries.longs().between(7_200_000, 400_000_000)))
                .list()
                .ofMinSize(1)
                .ofMaxSize(60);
    }

    /**
     * For any intervals between passes, a pass covers a transaction once if it has reached an age since the previous pass,
     * otherwise not at all.
     */
    @Property(tries = 500)
    void eachTransactionIsCoveredOncePerAge(
            @ForAll("gaps") List<Long> gapMillis,
            @ForAll @Size(min = 1, max = 20) List<@LongRange(min = -300_000_000, max = 300_000_000) Long> offsets) {
        Instant previous = START;
        for (long gap : gapMillis) {
            Instant now = previous.plusMillis(gap);
            List<Span> spans = schedule.spans(previous, now);
            for (long offset : offsets) {
                Instant createdAt = START.plusMillis(offset);
                boolean due = reachesAnAge(createdAt, previous, now);
                assertThat(spans.stream().filter(span -> contains(span, createdAt)))
                        .hasSize(due ? 1 : 0);
            }
            previous = now;
        }
    }

    private static boolean reachesAnAge(Instant createdAt, Instant from, Instant before) {
        return DEFAULT_AGES.stream().map(createdAt::plus).anyMatch(at -> !at.isBefore(from) && at.isBefore(before));
    }

    private static boolean contains(Span span, Instant at) {
        return !at.isBefore(span.from()) && at.isBefore(span.before());
    }
}
