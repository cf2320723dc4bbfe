package dev.ligeiro.gateway.api.list.match;

import dev.ligeiro.transaction.TransactionId;
import java.util.ArrayList;
import java.util.List;

/** The ids of one page, which a walk fills from the highest one down. Not for use by two threads at once. */
final class PageIds {

    private final int limit;
    private final List<TransactionId> ids = new ArrayList<>();
    private long toSkip;

    /** @param skip how many matches come before the page */
    PageIds(long skip, int limit) {
        this.toSkip = skip;
        this.limit = limit;
    }

    /** @param matching the next matches, the highest first */
    void add(List<TransactionId> matching) {
        matching.stream().skip(toSkip).limit(limit - ids.size()).forEach(ids::add);
        toSkip -= Math.min(toSkip, matching.size());
    }

    /** The matches to find, those to skip included. */
    long missing() {
        return toSkip + limit - ids.size();
    }

    boolean isFull() {
        return ids.size() == limit;
    }

    List<TransactionId> ids() {
        return List.copyOf(ids);
    }
}
