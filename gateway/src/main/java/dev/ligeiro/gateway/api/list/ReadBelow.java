package dev.ligeiro.gateway.api.list;

import dev.ligeiro.gateway.GatewayMemoryBudget;
import dev.ligeiro.gateway.api.list.match.Found;
import dev.ligeiro.gateway.api.list.match.ReadMatches;
import dev.ligeiro.gateway.api.list.match.Span;
import dev.ligeiro.gateway.http.limit.BoundedReads;
import dev.ligeiro.gateway.store.FailFast;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Reads the transactions of a list from any place on, without counting. */
@Component
public class ReadBelow {

    /** About 0.1 s. Each of 16 exports that wait for two slots gets one within the 2 s that it may wait. */
    private static final long KEYS_MAX = 20_000;

    private final SingleMatchStore single;
    private final ReadMatches matches;
    private final BoundedReads reads;
    private final FailFast failFast;

    ReadBelow(SingleMatchStore single, ReadMatches matches, BoundedReads reads, FailFast failFast) {
        this.single = single;
        this.matches = matches;
        this.reads = reads;
        this.failFast = failFast;
    }

    /**
     * The newest matching transactions. If they are large, the read ends before it has found {@code limit}; if they are rare, before it has
     * found any, and leaves its slot to another read.
     *
     * @param below only those with a lower id; null: from the newest one on
     */
    public Mono<Found> read(Tenant tenant, ListQuery query, @Nullable TransactionId below, int limit) {
        Span span = below == null ? query.span() : query.span().below(below);
        Mono<Found> found = query.isSingle()
                ? single.find(tenant, query).map(Found::all)
                : matches.some(query.filter(tenant), span, limit, GatewayMemoryBudget.EXPORT_READ_BYTES, KEYS_MAX);
        return reads.export(tenant, failFast.run(found));
    }
}
