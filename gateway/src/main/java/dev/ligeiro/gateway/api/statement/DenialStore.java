package dev.ligeiro.gateway.api.statement;

import dev.ligeiro.gateway.api.list.Span;
import dev.ligeiro.gateway.http.limit.BoundedReads;
import dev.ligeiro.gateway.store.LongReads;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.DenialCount;
import dev.ligeiro.transaction.Tenant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Why transactions were denied. */
@Component
class DenialStore {

    private static final long SECONDS_MAX = 1;

    private final LongReads reads;
    private final BoundedReads turns;

    DenialStore(LongReads reads, BoundedReads turns) {
        this.reads = reads;
        this.turns = turns;
    }

    /** See {@link DenialCount#pipeline}. Empty if it takes longer than a second, or the tenant has too many lists under way. */
    Mono<Optional<List<DenialCount>>> byReason(Tenant tenant, Span span) {
        return turns.list(
                        tenant,
                        Flux.from(reads.database()
                                        .getCollection(CollectionNames.TRANSACTIONS)
                                        .aggregate(DenialCount.pipeline(
                                                tenant,
                                                span.from().value(),
                                                span.before().value()))
                                        .maxTime(SECONDS_MAX, TimeUnit.SECONDS))
                                .map(DenialCount::of)
                                .collectList())
                .map(Optional::of)
                .onErrorReturn(Optional.empty());
    }
}
