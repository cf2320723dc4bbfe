package dev.ligeiro.gateway.api.list.match;

import dev.ligeiro.transaction.TransactionId;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reads the ids of the terms of one filter. */
final class FilterIds {

    private final TermStore store;
    private final Filter filter;

    FilterIds(TermStore store, Filter filter) {
        this.store = store;
        this.filter = filter;
    }

    /** The highest ids of a term in a span. */
    Mono<Chunk> chunk(Term term, Span span, int size) {
        return store.newest(filter.tenant(), term, span, size).map(ids -> new Chunk(term, ids, size));
    }

    /**
     * The highest ids of each term in a span, those of the rarest term first: they reach furthest down. Without those of the other terms if
     * one term has no ids.
     */
    Mono<List<Chunk>> rarestFirst(Span span) {
        return Flux.fromIterable(filter.terms())
                .concatMap(term -> chunk(term, span, ChunkSize.MIN))
                .takeUntil(chunk -> chunk.ids().isEmpty())
                .sort(Chunk.RAREST_FIRST)
                .collectList();
    }

    /** Those of these ids to whose transactions all these terms apply, in the same order. */
    Mono<List<TransactionId>> matching(List<Term> terms, List<TransactionId> ids) {
        Mono<List<TransactionId>> matching = Mono.just(ids);
        for (Term term : terms) {
            matching = matching.flatMap(
                    some -> store.among(filter.tenant(), term, some).map(kept -> inOrder(some, kept)));
        }
        return matching;
    }

    private static List<TransactionId> inOrder(List<TransactionId> ids, List<TransactionId> kept) {
        Set<TransactionId> all = new HashSet<>(kept);
        return ids.stream().filter(all::contains).toList();
    }

    /**
     * The highest ids of a term in a span, the highest first.
     *
     * @param size how many ids were requested
     */
    record Chunk(Term term, List<TransactionId> ids, int size) {

        /** Fewer ids than requested are all of the span. */
        private static final Comparator<Chunk> RAREST_FIRST =
                Comparator.<Chunk>comparingInt(chunk -> chunk.ids().size()).thenComparing(Chunk::lowest);

        /** Whether these are all ids of the span. */
        boolean isLast() {
            return ids.size() < size;
        }

        TransactionId lowest() {
            return ids.isEmpty() ? Span.ALL.from() : ids.get(ids.size() - 1);
        }
    }
}
