package dev.ligeiro.gateway.list.count;

import dev.ligeiro.gateway.list.match.Part;
import dev.ligeiro.gateway.list.match.Span;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.transaction.UuidV7;
import java.util.List;
import reactor.core.publisher.Mono;

/** Finds rows by their numbers, and the reverse. Segments that are too large to be read in one query are replaced by their parts. */
class FindRow {

    private final RangeCount range;

    FindRow(RangeCount range) {
        this.range = range;
    }

    /** @return empty if there are not so many matches */
    Mono<Row> find(Matches matches, Counts counts, long row) {
        return Mono.justOrEmpty(counts.find(row)).flatMap(position -> find(matches, position));
    }

    private Mono<Row> find(Matches matches, Counts.Position position) {
        Segment segment = position.segment();
        if (segment.split() == null) {
            return Mono.just(new Row(segment.before(), position.skip()));
        }
        return range.parts(matches, segment.split()).flatMap(parts -> find(matches, parts, position.skip())
                // some of them have ceased to match since they were counted
                .defaultIfEmpty(new Row(segment.from(), position.skip() - parts.total())));
    }

    /** The number of matches with lower ids. */
    Mono<Long> older(Matches matches, Counts counts, TransactionId id) {
        long at = UuidV7.epochMilli(id.value());
        return Mono.justOrEmpty(counts.containing(at))
                .flatMap(segment -> olderInSegment(matches, segment, id))
                .defaultIfEmpty(0L)
                .map(inSegment -> counts.before(at) + inSegment);
    }

    private Mono<Long> olderInSegment(Matches matches, Segment segment, TransactionId id) {
        return segment.split() == null
                ? matches.count(Span.ofMillis(segment.from(), segment.before()).below(id))
                : range.parts(matches, segment.split()).flatMap(parts -> older(matches, parts, id));
    }

    /** The parts of the span that have matches, the newest first. Their own parts are read when they are needed. */
    List<Part> parts(Matches matches, Counts counts, Span span) {
        return counts.withMatches().stream()
                .map(segment -> part(matches, segment, span))
                .filter(part -> !part.span().isEmpty())
                .toList();
    }

    private Part part(Matches matches, Segment segment, Span span) {
        Span inSegment = span.fromMillis(segment.from()).beforeMillis(segment.before());
        Slice split = segment.split();
        return split == null
                ? new Part(inSegment, null)
                : new Part(
                        inSegment,
                        Mono.defer(() -> range.parts(matches, split))
                                .map(smaller -> parts(matches, smaller, inSegment)));
    }

    /**
     * A row is after the {@code skip} newest matches that were created before {@code before}.
     *
     * @param before in milliseconds of the epoch, exclusive
     */
    record Row(long before, long skip) {}
}
