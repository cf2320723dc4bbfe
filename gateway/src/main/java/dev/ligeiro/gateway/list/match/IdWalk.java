package dev.ligeiro.gateway.list.match;

import dev.ligeiro.transaction.TransactionId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Collects the ids of one page of a filter with several terms, a chunk of the driver's ids at a time, from the highest one down. The
 * driver of a span is the term whose first ids reach furthest down. Not for use by two threads at once.
 */
final class IdWalk {

    private static final int SAMPLE = 250;

    private final TermStore store;
    private final Intersection intersection;
    private final Filter filter;
    private final Deque<Span> spans;
    private final long skip;
    private final int limit;

    private final List<TransactionId> found = new ArrayList<>();
    private long skipped;
    private long read;
    private long matched;
    private List<Term> terms = List.of();
    private @Nullable Sample last;

    /** @param spans the newest first */
    IdWalk(TermStore store, Intersection intersection, Filter filter, List<Span> spans, long skip, int limit) {
        this.store = store;
        this.intersection = intersection;
        this.filter = filter;
        this.spans = new ArrayDeque<>(spans);
        this.skip = skip;
        this.limit = limit;
    }

    boolean goesOn() {
        return found.size() < limit && !spans.isEmpty();
    }

    List<TransactionId> found() {
        return found;
    }

    /** Reads the driver's next ids, and collects those that match. */
    Mono<Void> step() {
        Span span = spans.removeFirst();
        Mono<Sample> next = last == null ? rarest(span) : sample(terms.get(0), span, nextSize(last));
        return next.flatMap(sample -> {
                    goOnBelow(sample, span);
                    read += sample.ids().size();
                    return intersection.matching(filter.tenant(), terms.subList(1, terms.size()), sample.ids());
                })
                .doOnNext(this::collect)
                .then();
    }

    /** Orders the terms for the span, the rarest first. */
    private Mono<Sample> rarest(Span span) {
        return Flux.fromIterable(filter.terms())
                .concatMap(term -> sample(term, span, SAMPLE))
                .takeUntil(sample -> sample.ids().isEmpty())
                .sort(Sample.RAREST_FIRST)
                .collectList()
                .map(samples -> {
                    terms = samples.stream().map(Sample::term).toList();
                    return samples.get(0);
                });
    }

    /** As many ids as the missing matches take at the rate so far, and a quarter more; without a match so far, twice as many as before. */
    private int nextSize(Sample before) {
        long missing = skip - skipped + limit - found.size();
        long expected = matched == 0 ? 2L * before.size() : missing * read / matched * 5 / 4;
        return (int) Math.min(Intersection.CHUNK_MAX, Math.max(SAMPLE, Math.max(expected, missing)));
    }

    private Mono<Sample> sample(Term term, Span span, int size) {
        return store.newest(filter.tenant(), term, span, size).map(ids -> new Sample(term, ids, size));
    }

    /** The order of the terms holds for the next chunks, up to a large one: further down, another term may be the rarest. */
    private void goOnBelow(Sample sample, Span span) {
        last = sample.isLast() || sample.size() == Intersection.CHUNK_MAX ? null : sample;
        if (!sample.isLast()) {
            spans.addFirst(span.below(sample.lowest()));
        }
    }

    private void collect(List<TransactionId> ids) {
        matched += ids.size();
        Stream<TransactionId> shown = ids.stream().skip(skip - skipped).limit(limit - found.size());
        shown.forEach(found::add);
        skipped += Math.min(skip - skipped, ids.size());
    }

    /** @param size how many ids were requested */
    private record Sample(Term term, List<TransactionId> ids, int size) {

        /** Fewer ids than requested are all of the span. */
        private static final Comparator<Sample> RAREST_FIRST =
                Comparator.<Sample>comparingInt(sample -> sample.ids().size()).thenComparing(Sample::lowest);

        private boolean isLast() {
            return ids.size() < size;
        }

        private TransactionId lowest() {
            return ids.isEmpty() ? Span.ALL.from() : ids.get(ids.size() - 1);
        }
    }
}
