package dev.ligeiro.gateway.api.list.match;

import dev.ligeiro.gateway.api.list.match.FilterIds.Chunk;
import dev.ligeiro.gateway.api.list.match.Intersection.FoundIds;
import dev.ligeiro.transaction.TransactionId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import reactor.core.publisher.Mono;

/**
 * Collects the ids of one page of a filter with several terms, from the highest one down. Each step reads a chunk of the rarest term's ids,
 * and looks them up in the indexes of the other terms. It reads a limited number of keys. Not for use by two threads at once.
 */
final class IdWalk {

    private final FilterIds filterIds;
    private final int limit;
    private final List<TransactionId> ids = new ArrayList<>();

    /** The newest first. */
    private final Deque<Span> unread;

    private long toSkip;
    private long keysLeft;
    private ChunkSize chunkSize = ChunkSize.FIRST;

    /** The filter's terms, the rarest first, as last measured. Empty: they are measured again before the next read. */
    private List<Term> rarestFirst = List.of();

    /**
     * @param spans the newest first
     * @param skip how many matches come before the page
     * @param keysMax after how many keys of the rarest term the walk gives up; a step counts as {@link ChunkSize#MIN} at least
     */
    IdWalk(FilterIds filterIds, List<Span> spans, long skip, int limit, long keysMax) {
        this.filterIds = filterIds;
        this.unread = new ArrayDeque<>(spans);
        this.toSkip = skip;
        this.limit = limit;
        this.keysLeft = keysMax;
    }

    boolean goesOn() {
        return ids.size() < limit && !unread.isEmpty() && keysLeft > 0;
    }

    FoundIds found() {
        if (ids.size() == limit) {
            return new FoundIds(List.copyOf(ids), ids.get(limit - 1));
        }
        return new FoundIds(
                List.copyOf(ids), unread.isEmpty() ? null : unread.getFirst().before());
    }

    Mono<Void> step() {
        Span next = unread.removeFirst();
        if (rarestFirst.isEmpty()) {
            return filterIds.rarestFirst(next).flatMap(chunks -> {
                rarestFirst = chunks.stream().map(Chunk::term).toList();
                return match(chunks.get(0), next);
            });
        }
        long missing = toSkip + limit - ids.size();
        return filterIds
                .chunk(rarestFirst.get(0), next, chunkSize.next(missing))
                .flatMap(chunk -> match(chunk, next));
    }

    /** @param chunk the highest ids of the rarest term in {@code read} */
    private Mono<Void> match(Chunk chunk, Span read) {
        keysLeft -= Math.max(ChunkSize.MIN, chunk.ids().size());
        if (!chunk.isLast()) {
            unread.addFirst(read.below(chunk.lowest()));
        }
        return filterIds
                .matching(rarestFirst.subList(1, rarestFirst.size()), chunk.ids())
                .doOnNext(matching -> add(chunk, matching))
                .then();
    }

    private void add(Chunk chunk, List<TransactionId> matching) {
        chunkSize = new ChunkSize(chunk.ids().size(), matching.size());
        if (matching.isEmpty() || chunk.size() == ChunkSize.MAX) {
            // another term may be the rarest from here on
            rarestFirst = List.of();
        }
        matching.stream().skip(toSkip).limit(limit - ids.size()).forEach(ids::add);
        toSkip -= Math.min(toSkip, matching.size());
    }
}
