package dev.ligeiro.gateway.api.list.count;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.ligeiro.gateway.GatewayMemoryBudget;
import dev.ligeiro.gateway.api.list.match.Span;
import dev.ligeiro.transaction.Tenant;
import java.time.Duration;
import reactor.core.publisher.Mono;

/** The days of tenants' first transactions, so that no day before them is counted. They are remembered for some minutes. */
final class FirstDays {

    /** After a restore or an import, a tenant may have older transactions than before. */
    private static final Duration REMEMBERED_FOR = Duration.ofMinutes(10);

    private static final Span EMPTY = Span.ofMillis(0, 0);

    private final Cache<Tenant, Long> days = Caffeine.newBuilder()
            .maximumSize(GatewayMemoryBudget.SMALL_ENTRIES_MAX)
            .expireAfterWrite(REMEMBERED_FOR)
            .build();

    /** The part of the span from the tenant's first day on. It is empty if the tenant has no transactions. */
    Mono<Span> since(CountQueries queries, Span span) {
        return first(queries).map(span::fromMillis).defaultIfEmpty(EMPTY);
    }

    /** The start of the day, in milliseconds of the epoch; empty if there is none. An older transaction may still be inserted. */
    private Mono<Long> first(CountQueries queries) {
        Long remembered = days.getIfPresent(queries.tenant());
        return remembered != null
                ? Mono.just(remembered)
                : queries.first()
                        .map(at -> Slice.Unit.DAY.floor(
                                at.minus(WaitForCounts.SETTLED_AFTER).toEpochMilli()))
                        .doOnNext(day -> days.put(queries.tenant(), day));
    }
}
