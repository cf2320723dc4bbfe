package dev.ligeiro.gateway.api.list.count;

import dev.ligeiro.gateway.api.list.match.Part;
import dev.ligeiro.gateway.api.list.match.Span;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.transaction.UuidV7;
import java.util.List;
import reactor.core.publisher.Mono;

/** Finds rows by their numbers, and the reverse. The counts of a split slice's children are read when a row is in it. */
class FindRow {

    private final CountDays days;

    FindRow(CountDays days) {
        this.days = days;
    }

    /** @return empty if there are not so many matches */
    Mono<Place> find(CountQueries queries, Span span, Counts counts, long row) {
        return Mono.justOrEmpty(counts.find(row)).flatMap(position -> find(queries, span, position));
    }

    private Mono<Place> find(CountQueries queries, Span span, Counts.Position position) {
        Segment segment = position.segment();
        if (segment.split() == null) {
            return Mono.just(new Place(span.beforeMillis(segment.before()), position.skip()));
        }
        return days.children(queries, segment.split()).flatMap(children -> find(
                        queries, span, children, position.skip())
                // some of them have ceased to match since they were counted
                .defaultIfEmpty(new Place(span.beforeMillis(segment.from()), position.skip() - children.total())));
    }

    /** The number of matches with lower ids. */
    Mono<Long> older(CountQueries queries, Counts counts, TransactionId id) {
        long at = UuidV7.epochMilli(id.value());
        return Mono.justOrEmpty(counts.containing(at))
                .flatMap(segment -> olderInSegment(queries, segment, id))
                .defaultIfEmpty(0L)
                .map(inSegment -> counts.before(at) + inSegment);
    }

    private Mono<Long> olderInSegment(CountQueries queries, Segment segment, TransactionId id) {
        return segment.split() == null
                ? queries.count(Span.ofMillis(segment.from(), segment.before()).below(id))
                : days.children(queries, segment.split()).flatMap(children -> older(queries, children, id));
    }

    /** The parts of the span that have matches, the newest first. Their own parts are read when they are needed. */
    List<Part> parts(CountQueries queries, Counts counts, Span span) {
        return counts.withMatches().stream()
                .map(segment -> part(queries, segment, span))
                .filter(part -> !part.span().isEmpty())
                .toList();
    }

    private Part part(CountQueries queries, Segment segment, Span span) {
        Span inSegment = span.fromMillis(segment.from()).beforeMillis(segment.before());
        Slice split = segment.split();
        return split == null
                ? Part.undivided(inSegment)
                : new Part(
                        inSegment,
                        Mono.defer(() -> days.children(queries, split))
                                .map(smaller -> parts(queries, smaller, inSegment)));
    }
}
