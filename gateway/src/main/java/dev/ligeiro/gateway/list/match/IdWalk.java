package dev.ligeiro.gateway.list.match;

import dev.ligeiro.gateway.list.match.FilterIds.Chunk;
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
    private final Deque<Unread> unread = new ArrayDeque<>();

    private long keysLeft;
    private ChunkSize chunkSize = ChunkSize.FIRST;

    /**
     * @param parts the newest first
     * @param keysMax after how many keys of the rarest term the walk gives up; a step counts as {@link ChunkSize#MIN} at least
     */
    IdWalk(FilterIds filterIds, List<Part> parts, PageIds page, long keysMax) {
        this.filterIds = filterIds;
        this.page = page;
        this.keysLeft = keysMax;
        parts.forEach(part -> unread.addLast(Unread.of(part)));
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
                : new FoundIds.GaveUp(
                        page.ids(), unread.getFirst().part().span().before());
    }

    Mono<Void> step() {
        Unread next = unread.removeFirst();
        Mono<List<Part>> smaller = next.part().smaller();
        return smaller != null && chunkSize.areMatchesRare(page.missing()) ? divide(smaller) : read(next);
    }

    private Mono<Void> divide(Mono<List<Part>> part) {
        keysLeft -= ChunkSize.MIN;
        return part.doOnNext(smaller -> {
                    for (int i = smaller.size() - 1; i >= 0; i--) {
                        unread.addFirst(Unread.of(smaller.get(i)));
                    }
                })
                .then();
    }

    private Mono<Void> read(Unread next) {
        Span span = next.part().span();
        if (next.rarestFirst().isEmpty()) {
            return filterIds.rarestFirst(span).flatMap(chunks -> match(chunks.get(0), next.ordered(chunks)));
        }
        Term rarest = next.rarestFirst().get(0);
        return filterIds.chunk(rarest, span, chunkSize.next(page.missing())).flatMap(chunk -> match(chunk, next));
    }

    /** @param chunk the highest ids of the rarest term in {@code read} */
    private Mono<Void> match(Chunk chunk, Unread read) {
        keysLeft -= Math.max(ChunkSize.MIN, chunk.ids().size());
        if (!chunk.isLast()) {
            unread.addFirst(read.below(chunk));
        }
        return filterIds
                .matching(read.otherTerms(), chunk.ids())
                .doOnNext(matching -> {
                    chunkSize = new ChunkSize(chunk.ids().size(), matching.size());
                    page.add(matching);
                })
                .then();
    }

    /**
     * A part whose ids have not been read.
     *
     * @param rarestFirst the filter's terms; empty if it is not known which is the rarest one here
     */
    private record Unread(Part part, List<Term> rarestFirst) {

        static Unread of(Part part) {
            return new Unread(part, List.of());
        }

        Unread ordered(List<Chunk> chunks) {
            return new Unread(part, chunks.stream().map(Chunk::term).toList());
        }

        List<Term> otherTerms() {
            return rarestFirst.subList(1, rarestFirst.size());
        }

        /** The rest below a chunk of the rarest term. Below a large one, another term may be the rarest. */
        Unread below(Chunk chunk) {
            return new Unread(part.below(chunk.lowest()), chunk.size() == ChunkSize.MAX ? List.of() : rarestFirst);
        }
    }
}
