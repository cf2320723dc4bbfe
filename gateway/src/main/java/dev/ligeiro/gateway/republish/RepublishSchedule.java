package dev.ligeiro.gateway.republish;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Selects the transactions of a pass: those that have reached one of the ages since the previous pass. Each transaction is selected once
 * per age, however long the interval between two passes is.
 */
record RepublishSchedule(List<Duration> ages) {

    /** The times of creation of the transactions of a pass at {@code now}, without overlaps, the oldest first. */
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

    /** A span of time, from {@code from} inclusive to {@code before} exclusive. */
    record Span(Instant from, Instant before) {}
}
