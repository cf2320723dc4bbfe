package dev.ligeiro.gateway.api.list.count;

import dev.ligeiro.gateway.api.list.match.Span;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * How many transactions match, in all and in each part of the time.
 *
 * @param segments the newest first, without a gap
 */
public record Counts(List<Segment> segments) {

    public Counts {
        segments = List.copyOf(segments);
    }

    /** All matches in a span, without its parts. */
    static Counts of(Span span, long count) {
        return new Counts(List.of(new Segment(span.firstMilli(), Cover.end(span), count, null)));
    }

    /** The number of matches. */
    public long total() {
        return segments.stream().mapToLong(Segment::count).sum();
    }

    /** The segments that have matches, the newest first. Successive ones are joined, unless they are split. */
    List<Segment> withMatches() {
        Deque<Segment> joined = new ArrayDeque<>();
        for (Segment segment : segments) {
            Segment newer = joined.peekLast();
            if (segment.count() > 0) {
                joined.add(
                        newer != null && newer.canJoin(segment)
                                ? joined.removeLast().with(segment)
                                : segment);
            }
        }
        return List.copyOf(joined);
    }

    /**
     * The segment that contains a match.
     *
     * @param row counted from 0 at the newest match
     * @return empty if there are not so many
     */
    Optional<Position> find(long row) {
        long newer = 0;
        for (Segment segment : segments) {
            if (row < newer + segment.count()) {
                return Optional.of(new Position(segment, row - newer));
            }
            newer += segment.count();
        }
        return Optional.empty();
    }

    /** The number of matches in the segments that end at or before {@code at}, in milliseconds of the epoch. */
    long before(long at) {
        return segments.stream()
                .filter(segment -> segment.before() <= at)
                .mapToLong(Segment::count)
                .sum();
    }

    /** The segment that contains the time, or empty. */
    Optional<Segment> containing(long at) {
        return segments.stream()
                .filter(segment -> segment.from() <= at && at < segment.before())
                .findFirst();
    }

    /**
     * @param skip the number of newer matches in the segment
     */
    record Position(Segment segment, long skip) {}
}
