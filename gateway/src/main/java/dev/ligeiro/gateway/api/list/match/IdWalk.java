package dev.ligeiro.gateway.api.list.match;

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
 * Collects the ids of one page of a filter with several terms, from the highest one down. Each step reads a chunk of the rarest term's ids,
 * twice as many as the step before, and looks them up in the indexes of the other terms: 5 µs for each id. Where a step has found no match,
 * the rarest term is found again, because terms are rarer at one time than at another. Not for use by two threads at once.
 */
final class IdWalk {

    static final int CHUNK_MIN = 250;
    /** 130 kB as the condition of a query. */
    static final int CHUNK_MAX = 5_000;

    private final TermStore store;
    private final Filter filter;
    private final int limit;
    private final List<TransactionId> ids = new ArrayList<>();

    /** The newest first. */
    private final Deque<Span> unread;

    private long toSkip;
    private long keysLeft;
    private int chunkSize = CHUNK_MIN;

    /** The filter's terms, the rarest first, as last measured. Empty: they are measured again before the next read. */
    private List<Term> rarestFirst = List.of();

    private IdWalk(TermStore store, Filter filter, List<Span> spans, long skip, int limit, long keysMax) {
        this.store = store;
        this.filter = filter;
        this.unread = new ArrayDeque<>(spans);
        this.toSkip = skip;
        this.limit = limit;
        this.keysLeft = keysMax;
    }

    /**
     * The ids of one page.
     *
     * @param spans the newest first
     * @param skip how many matches come before the page
     * @param keysMax after how many keys of the rarest term the search gives up; a step counts as {@value CHUNK_MIN} at least
     */
    static Mono<FoundIds> find(TermStore store, Filter filter, List<Span> spans, long skip, int limit, long keysMax) {
        return Mono.defer(() -> {
            IdWalk walk = new IdWalk(store, filter, spans, skip, limit, keysMax);
            return Mono.defer(walk::step).repeat(walk::goesOn).then(Mono.fromSupplier(walk::found));
        });
    }

    private boolean goesOn() {
        return ids.size() < limit && !unread.isEmpty() && keysLeft > 0;
    }

    private FoundIds found() {
        if (ids.size() == limit) {
            return new FoundIds(List.copyOf(ids), ids.get(limit - 1));
        }
        return new FoundIds(
                List.copyOf(ids), unread.isEmpty() ? null : unread.getFirst().before());
    }

    private Mono<Void> step() {
        Span next = unread.removeFirst();
        if (!rarestFirst.isEmpty()) {
            chunkSize = Math.min(CHUNK_MAX, 2 * chunkSize);
            return chunk(rarestFirst.get(0), next, chunkSize).flatMap(chunk -> match(chunk, next));
        }
        return rarestFirst(next).flatMap(chunks -> {
            rarestFirst = Stream.concat(chunks.stream().map(Chunk::term), filter.checked().stream())
                    .toList();
            return match(chunks.get(0), next);
        });
    }

    /**
     * A chunk of each term's highest ids in a span, the rarest term's first: its ids reach furthest down. Stops at a term without ids, since
     * nothing can match then.
     */
    private Mono<List<Chunk>> rarestFirst(Span span) {
        return Flux.fromIterable(filter.indexed())
                .concatMap(term -> chunk(term, span, CHUNK_MIN))
                .takeUntil(chunk -> chunk.ids().isEmpty())
                .sort(Chunk.RAREST_FIRST)
                .collectList();
    }

    private Mono<Chunk> chunk(Term term, Span span, int size) {
        return store.newest(filter.tenant(), term, List.of(span), 0, size).map(found -> new Chunk(term, found, size));
    }

    /** @param chunk the highest ids of the rarest term in {@code read} */
    private Mono<Void> match(Chunk chunk, Span read) {
        keysLeft -= Math.max(CHUNK_MIN, chunk.ids().size());
        if (!chunk.isLast()) {
            unread.addFirst(read.below(chunk.lowest()));
        }
        return store.matching(filter.tenant(), rarestFirst.subList(1, rarestFirst.size()), chunk.ids())
                .doOnNext(matching -> add(chunk, matching))
                .then();
    }

    private void add(Chunk chunk, List<TransactionId> matching) {
        if (matching.isEmpty() || chunk.size() == CHUNK_MAX) {
            // another term may be the rarest from here on
            rarestFirst = List.of();
        }
        matching.stream().skip(toSkip).limit(limit - ids.size()).forEach(ids::add);
        toSkip -= Math.min(toSkip, matching.size());
    }

    /**
     * The ids that were found, the highest first.
     *
     * @param reached matches with lower ids have not been looked for; null: there are none
     */
    record FoundIds(List<TransactionId> ids, @Nullable TransactionId reached) {

        /** @param ids all that there are, or the highest {@code limit} */
        static FoundIds of(List<TransactionId> ids, int limit) {
            return new FoundIds(ids, ids.size() < limit ? null : ids.get(limit - 1));
        }
    }

    /**
     * The highest ids of a term in a span, the highest first.
     *
     * @param size how many ids were requested
     */
    private record Chunk(Term term, List<TransactionId> ids, int size) {

        /** Fewer ids than requested are all of the span. */
        private static final Comparator<Chunk> RAREST_FIRST =
                Comparator.<Chunk>comparingInt(chunk -> chunk.ids().size()).thenComparing(Chunk::lowest);

        /** Whether these are all ids of the span. */
        private boolean isLast() {
            return ids.size() < size;
        }

        private TransactionId lowest() {
            return ids.isEmpty() ? Span.ALL.from() : ids.get(ids.size() - 1);
        }
    }
}
