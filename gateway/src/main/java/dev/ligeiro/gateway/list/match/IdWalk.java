package dev.ligeiro.gateway.list.match;

import dev.ligeiro.gateway.list.match.Samples.Sample;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import reactor.core.publisher.Mono;

/**
 * Collects the ids of one page of a filter with several terms, from the highest one down. Each step reads a chunk of the rarest term's ids,
 * and looks them up in the indexes of the other terms. Where few ids match, the walk goes on in the smaller parts that have matches. It
 * reads a limited number of keys. Not for use by two threads at once.
 */
final class IdWalk {

    private final Samples samples;
    private final Intersection intersection;
    private final Tenant tenant;
    private final Deque<Part> parts;
    private final PageIds page;
    private long keysLeft;
    private ChunkSize chunk = ChunkSize.FIRST;

    /** The rarest first; empty if the order is not known. */
    private List<Term> terms = List.of();

    /**
     * @param parts the newest first
     * @param keysMax after how many keys of the rarest term the walk gives up; a step counts as {@link ChunkSize#MIN} at least
     */
    IdWalk(Samples samples, Intersection intersection, Tenant tenant, List<Part> parts, PageIds page, long keysMax) {
        this.samples = samples;
        this.intersection = intersection;
        this.tenant = tenant;
        this.parts = new ArrayDeque<>(parts);
        this.page = page;
        this.keysLeft = keysMax;
    }

    boolean goesOn() {
        return !page.isFull() && !parts.isEmpty() && keysLeft > 0;
    }

    FoundIds found() {
        TransactionId end = parts.isEmpty() ? null : parts.getFirst().span().before();
        return new FoundIds(page.ids(), page.isFull() ? page.lowest() : end);
    }

    Mono<Void> step() {
        Part part = parts.removeFirst();
        Mono<List<Part>> smaller = part.smaller();
        return smaller != null && chunk.isSparse(page.missing()) ? divide(smaller) : read(part);
    }

    private Mono<Void> divide(Mono<List<Part>> part) {
        keysLeft -= ChunkSize.MIN;
        terms = List.of();
        return part.doOnNext(smaller -> {
                    for (int i = smaller.size() - 1; i >= 0; i--) {
                        parts.addFirst(smaller.get(i));
                    }
                })
                .then();
    }

    private Mono<Void> read(Part part) {
        Mono<Sample> next = terms.isEmpty()
                ? rarest(part.span())
                : samples.of(terms.get(0), part.span(), chunk.next(page.missing()));
        return next.flatMap(sample -> matching(sample, part)).then();
    }

    private Mono<Sample> rarest(Span span) {
        return samples.rarestFirst(span).map(ordered -> {
            terms = ordered.stream().map(Sample::term).toList();
            return ordered.get(0);
        });
    }

    private Mono<List<TransactionId>> matching(Sample sample, Part part) {
        List<Term> others = terms.subList(1, terms.size());
        goOnBelow(sample, part);
        keysLeft -= Math.max(ChunkSize.MIN, sample.ids().size());
        return intersection.matching(tenant, others, sample.ids()).doOnNext(matching -> {
            chunk = new ChunkSize(sample.ids().size(), matching.size());
            page.add(matching);
        });
    }

    /** The order of the terms holds for the next chunks, up to a large one: further down, another term may be the rarest. */
    private void goOnBelow(Sample sample, Part part) {
        if (sample.isLast() || sample.size() == ChunkSize.MAX) {
            terms = List.of();
        }
        if (!sample.isLast()) {
            parts.addFirst(part.below(sample.lowest()));
        }
    }
}
