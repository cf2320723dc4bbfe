package dev.ligeiro.gateway.republish;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Says which transactions a pass looks at: those that have come to one of the ages since the pass before. Each transaction is
 * looked at once per age, however long the passes are apart.
 */
record RepublishSchedule(List<Duration> ages) {

    /** The times of creation that a pass at {@code now} covers, none twice, the oldest first. */
    List<Span> spans(Instant previousPass, Instant now) {
        List<Span> spans = new ArrayList<>();
        ages.stream()
                .map(age -> new Span(previousPass.minus(age), now.minus(age)))
                .filter(span -> span.from().isBefore(span.before()))
                .sorted(Comparator.comparing(Span::from))
                .forEach(span -> add(spans, span));
        return spans;
    }

    private static void add(List<Span> spans, Span next) {
        int last = spans.size() - 1;
        if (last >= 0 && !spans.get(last).before().isBefore(next.from())) {
            Span joined = spans.get(last);
            Instant before = joined.before().isAfter(next.before()) ? joined.before() : next.before();
            spans.set(last, new Span(joined.from(), before));
        } else {
            spans.add(next);
        }
    }

    /** From an instant, included, to another, excluded. */
    record Span(Instant from, Instant before) {}
}
