package dev.ligeiro.gateway.list.match;

import dev.ligeiro.transaction.TransactionId;
import java.util.Comparator;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reads the highest ids of each term of a filter, which show the rarest term of a span: its ids reach furthest down. */
final class Samples {

    private final TermStore store;
    private final Filter filter;

    Samples(TermStore store, Filter filter) {
        this.store = store;
        this.filter = filter;
    }

    /** A sample of each term, that of the rarest one first. Without those of the other terms if one term has no ids. */
    Mono<List<Sample>> rarestFirst(Span span) {
        return Flux.fromIterable(filter.terms())
                .concatMap(term -> of(term, span, ChunkSize.MIN))
                .takeUntil(sample -> sample.ids().isEmpty())
                .sort(Sample.RAREST_FIRST)
                .collectList();
    }

    Mono<Sample> of(Term term, Span span, int size) {
        return store.newest(filter.tenant(), term, span, size).map(ids -> new Sample(term, ids, size));
    }

    /**
     * The highest ids of a term in a span, the highest first.
     *
     * @param size how many ids were requested
     */
    record Sample(Term term, List<TransactionId> ids, int size) {

        /** Fewer ids than requested are all of the span. */
        private static final Comparator<Sample> RAREST_FIRST =
                Comparator.<Sample>comparingInt(sample -> sample.ids().size()).thenComparing(Sample::lowest);

        /** Whether these are all ids of the span. */
        boolean isLast() {
            return ids.size() < size;
        }

        TransactionId lowest() {
            return ids.isEmpty() ? Span.ALL.from() : ids.get(ids.size() - 1);
        }
    }
}
