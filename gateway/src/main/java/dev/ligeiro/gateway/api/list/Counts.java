package dev.ligeiro.gateway.api.list;

import dev.ligeiro.transaction.TransactionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How many transactions match, in all and in each part of the time.
 *
 * @param parts the newest first, without a gap but for archived months
 */
record Counts(List<Part> parts) {

    Counts {
        parts = List.copyOf(parts);
    }

    static Counts of(Span span, long count) {
        return new Counts(List.of(new Part(span, count)));
    }

    /** @param newestFirst of one time each */
    static Counts of(List<Counts> newestFirst) {
        return new Counts(
                newestFirst.stream().flatMap(counts -> counts.parts.stream()).toList());
    }

    long total() {
        return parts.stream().mapToLong(Part::count).sum();
    }

    /**
     * Where a row is.
     *
     * @param row counted from 0 at the newest match
     * @return empty if there are not so many matches
     */
    Optional<Place> find(long row) {
        long newer = 0;
        for (Part part : parts) {
            if (row < newer + part.count) {
                TransactionId oldest = parts.get(parts.size() - 1).span.from();
                return Optional.of(new Place(new Span(oldest, part.span.before()), row - newer));
            }
            newer += part.count;
        }
        return Optional.empty();
    }

    /** The times in this span that have matches, the newest first. Successive ones are joined. */
    List<Span> withMatches(Span span) {
        List<Span> joined = new ArrayList<>();
        for (Part part : parts) {
            Span within = part.span.within(span);
            if (part.count == 0 || within.isEmpty()) {
                continue;
            }
            int last = joined.size() - 1;
            if (last >= 0 && joined.get(last).from().equals(within.before())) {
                joined.set(last, new Span(within.from(), joined.get(last).before()));
            } else {
                joined.add(within);
            }
        }
        return joined;
    }

    /** The number of matches in the parts that are wholly below this id. */
    long below(TransactionId id) {
        return parts.stream()
                .filter(part -> part.span.before().compareTo(id) <= 0)
                .mapToLong(Part::count)
                .sum();
    }

    /** The part that contains the id, or empty. */
    Optional<Part> containing(TransactionId id) {
        return parts.stream().filter(part -> part.span.contains(id)).findFirst();
    }

    /** The number of matches in a part of the time. */
    record Part(Span span, long count) {}

    /** After the {@code skip} newest matches of the span. The row and all older rows of the list are in the span. */
    record Place(Span span, long skip) {}
}
