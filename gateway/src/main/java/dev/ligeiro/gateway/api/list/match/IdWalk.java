package dev.ligeiro.gateway.api.list.match;

import dev.ligeiro.gateway.api.list.match.FilterIds.Chunk;
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

    private final FilterIds filterIds;
    private final PageIds page;

    /** The newest first. */
    private final Deque<Part> unread = new ArrayDeque<>();

    private long keysLeft;
    private ChunkSize chunkSize = ChunkSize.FIRST;

    /** The filter's terms, the rarest first, as last measured. Empty: they are measured again before the next read. */
    private List<Term> rarestFirst = List.of();

    /**
     * @param parts the newest first
     * @param keysMax after how many keys of the rarest term the walk gives up; a step counts as {@link ChunkSize#MIN} at least
     */
    IdWalk(FilterIds filterIds, List<Part> parts, PageIds page, long keysMax) {
        this.filterIds = filterIds;
        this.page = page;
        this.keysLeft = keysMax;
        unread.addAll(parts);
    }

    boolean goesOn() {
        return !page.isFull() && !unread.isEmpty() && keysLeft > 0;
    }

    FoundIds found() {
        if (page.isFull()) {
            return new FoundIds.FullPage(page.ids());
        }
        return unread.isEmpty()
                ? new FoundIds.AllMatches(page.ids())
                : new FoundIds.GaveUp(page.ids(), unread.getFirst().span().before());
    }

    Mono<Void> step() {
        Part next = unread.removeFirst();
        Mono<List<Part>> smaller = next.smaller();
        return smaller != null && chunkSize.areMatchesRare(page.missing()) ? divide(smaller) : read(next);
    }

    private Mono<Void> divide(Mono<List<Part>> part) {
        keysLeft -= ChunkSize.MIN;
        return part.doOnNext(smaller -> {
                    for (int i = smaller.size() - 1; i >= 0; i--) {
                        unread.addFirst(smaller.get(i));
                    }
                })
                .then();
    }

    private Mono<Void> read(Part next) {
        if (rarestFirst.isEmpty()) {
            return filterIds.rarestFirst(next.span()).flatMap(chunks -> {
                rarestFirst = chunks.stream().map(Chunk::term).toList();
                return match(chunks.get(0), next);
            });
        }
        return filterIds
                .chunk(rarestFirst.get(0), next.span(), chunkSize.next(page.missing()))
                .flatMap(chunk -> match(chunk, next));
    }

    /** @param chunk the highest ids of the rarest term in {@code read} */
    private Mono<Void> match(Chunk chunk, Part read) {
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
        page.add(matching);
    }
}
