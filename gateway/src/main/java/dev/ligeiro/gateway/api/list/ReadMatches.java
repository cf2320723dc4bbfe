package dev.ligeiro.gateway.api.list;

import dev.ligeiro.gateway.api.list.Filter.Term;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.transaction.TransactionSnapshot;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reads matching transactions, the newest first. */
@Component
class ReadMatches {

    static final int CHUNK_MIN = 250;
    /** 130 kB as the condition of a query. */
    static final int CHUNK_MAX = 5_000;

    /** About 3 s. A page of 100 rows has up to 200,000 of them if each row is in another time bucket. */
    private static final long LIST_KEYS_MAX = 500_000;

    /** A minute of the largest merchants has 60,000 transactions, 0.1 s to check. */
    private static final Duration CHECKED_MAX = Duration.ofSeconds(3);

    private final TermStore terms;
    private final DocumentStore documents;

    ReadMatches(TermStore terms, DocumentStore documents) {
        this.terms = terms;
        this.documents = documents;
    }

    /**
     * The newest matching transactions, after the first {@code skip}. There are fewer rows than {@code limit}, and the result says how far the
     * search came, if several terms have too few matches among too many ids, or if the status of a row changes meanwhile.
     *
     * @param spans the newest first; outside of them there are no matches. A filter of several terms needs them to be fast: without them,
     *     the last page would read all older ids of the rarest term, in search of another row. One with a token needs no other days then
     */
    Mono<Found> newest(Filter filter, List<Span> spans, long skip, int limit) {
        if (spans.isEmpty()) {
            return Mono.just(Found.all(List.of()));
        }
        if (filter.isCheckedRange()) {
            return checked(filter, spans, skip, limit, System.nanoTime() + CHECKED_MAX.toNanos());
        }
        Span whole = new Span(spans.get(spans.size() - 1).from(), spans.get(0).before());
        return filter.isOneRange()
                ? documents.newest(filter, whole, skip, limit, Long.MAX_VALUE)
                : ids(terms, filter, spans, skip, limit, LIST_KEYS_MAX)
                        .flatMap(ids -> documents.byIds(filter, ids, Long.MAX_VALUE));
    }

    /** One span after the other: where rows are rare, their spans have few other transactions. */
    private Mono<Found> checked(Filter filter, List<Span> spans, long skip, int limit, long untilNanos) {
        Span newest = spans.get(0);
        return documents.newest(filter, newest, skip, limit, Long.MAX_VALUE).flatMap(found -> {
            int missing = limit - found.rows().size() - found.leftOut();
            if (missing == 0 || spans.size() == 1) {
                return Mono.just(found);
            }
            List<Span> older = spans.subList(1, spans.size());
            return System.nanoTime() < untilNanos
                    ? checked(filter, older, 0, missing, untilNanos).map(found::and)
                    : Mono.just(new Found(found.rows(), found.leftOut(), newest.from()));
        });
    }

    /**
     * The newest matching transactions, as far as they are found within a limited number of keys of the rarest term.
     *
     * @param bytesMax the read ends when its documents have so many bytes
     * @param keysMax 5 µs each
     */
    Mono<Found> some(Filter filter, Span span, int limit, long bytesMax, long keysMax) {
        return filter.isOneRange()
                ? documents.newest(filter, span, 0, limit, bytesMax)
                : ids(terms, filter, List.of(span), 0, limit, keysMax)
                        .flatMap(ids -> documents.byIds(filter, ids, bytesMax));
    }

    /**
     * The ids of one page, the highest first.
     *
     * @param spans the newest first
     * @param skip how many matches come before the page
     * @param keysMax after how many keys of the rarest term the search gives up; a step counts as {@value CHUNK_MIN} at least
     */
    static Mono<FoundIds> ids(TermStore terms, Filter filter, List<Span> spans, long skip, int limit, long keysMax) {
        Term only = filter.onlyTerm();
        return filter.isOneTerm() && only != null
                ? terms.newest(filter.tenant(), only, spans, skip, limit)
                        .map(ids -> new FoundIds(ids, ids.size() < limit ? null : ids.get(limit - 1)))
                : Mono.defer(() -> {
                    Walk walk = new Walk(terms, filter, spans, skip, limit, keysMax);
                    return Mono.defer(walk::step).repeat(walk::goesOn).then(Mono.fromSupplier(walk::found));
                });
    }

    /** @param reached matches with lower ids have not been looked for; null: there are none */
    record FoundIds(List<TransactionId> ids, @Nullable TransactionId reached) {}

    /**
     * Collects the ids of one page of a filter with several terms, from the highest one down. Each step reads a chunk of the rarest term's ids,
     * twice as many as the step before, and looks them up in the indexes of the other terms: 5 µs for each id. Where a step has found no
     * match, the rarest term is found again, because terms are rarer at one time than at another. Not for use by two threads at once.
     */
    private static final class Walk {

        private final TermStore terms;
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

        private Walk(TermStore terms, Filter filter, List<Span> spans, long skip, int limit, long keysMax) {
            this.terms = terms;
            this.filter = filter;
            this.unread = new ArrayDeque<>(spans);
            this.toSkip = skip;
            this.limit = limit;
            this.keysLeft = keysMax;
        }

        private boolean goesOn() {
            return ids.size() < limit && !unread.isEmpty() && keysLeft > 0;
        }

        private FoundIds found() {
            if (ids.size() == limit) {
                return new FoundIds(ids, ids.get(limit - 1));
            }
            return new FoundIds(ids, unread.isEmpty() ? null : unread.getFirst().before());
        }

        private Mono<Void> step() {
            Span next = unread.removeFirst();
            if (!rarestFirst.isEmpty()) {
                chunkSize = Math.min(CHUNK_MAX, 2 * chunkSize);
                return chunk(rarestFirst.get(0), next, chunkSize).flatMap(chunk -> match(chunk, next));
            }
            return rarestFirst(next).flatMap(chunks -> {
                rarestFirst = filter.withChecked(chunks.stream().map(Chunk::term));
                return match(chunks.get(0), next);
            });
        }

        /**
         * A chunk of each term's highest ids in a span, the rarest term's first: its ids reach furthest down. Stops at a term without ids,
         * since nothing can match then.
         */
        private Mono<List<Chunk>> rarestFirst(Span span) {
            return Flux.fromIterable(filter.indexed())
                    .concatMap(term -> chunk(term, span, CHUNK_MIN))
                    .takeUntil(chunk -> chunk.ids().isEmpty())
                    .sort(Chunk.RAREST_FIRST)
                    .collectList();
        }

        private Mono<Chunk> chunk(Term term, Span span, int size) {
            return terms.newest(filter.tenant(), term, List.of(span), 0, size)
                    .map(found -> new Chunk(term, found, size));
        }

        /** @param chunk the highest ids of the rarest term in {@code read} */
        private Mono<Void> match(Chunk chunk, Span read) {
            keysLeft -= Math.max(CHUNK_MIN, chunk.ids().size());
            // fewer ids than requested are all of the span
            if (chunk.ids().size() == chunk.size()) {
                unread.addFirst(read.below(chunk.lowest()));
            }
            return terms.matching(filter.tenant(), rarestFirst.subList(1, rarestFirst.size()), chunk.ids())
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
    }

    /**
     * The highest ids of a term in a span, the highest first.
     *
     * @param size how many ids were requested
     */
    private record Chunk(Term term, List<TransactionId> ids, int size) {

        private static final Comparator<Chunk> RAREST_FIRST =
                Comparator.<Chunk>comparingInt(chunk -> chunk.ids().size()).thenComparing(Chunk::lowest);

        private TransactionId lowest() {
            return ids.isEmpty() ? Span.ALL.from() : ids.get(ids.size() - 1);
        }
    }

    /**
     * Matching transactions, the newest first.
     *
     * @param leftOut the number of matches that cannot be decoded
     * @param reached matches with lower ids have not been looked for; null: there are none
     */
    record Found(List<TransactionSnapshot> rows, int leftOut, @Nullable TransactionId reached) {

        /** All matches: one at most, or none. */
        static Found all(List<TransactionSnapshot> rows) {
            return new Found(rows, 0, null);
        }

        /** With the next older ones. */
        Found and(Found older) {
            return new Found(
                    Stream.concat(rows.stream(), older.rows.stream()).toList(), leftOut + older.leftOut, older.reached);
        }

        /** Whether there may be more matches, although there are fewer rows: the search has given up, or some rows were left out. */
        boolean isShortOf(int limit) {
            return rows.size() < limit && reached != null;
        }
    }
}
