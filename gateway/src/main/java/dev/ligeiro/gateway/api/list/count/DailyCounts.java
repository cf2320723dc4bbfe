package dev.ligeiro.gateway.api.list.count;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import dev.ligeiro.gateway.GatewayMemoryBudget;
import dev.ligeiro.gateway.api.list.match.Filter;
import dev.ligeiro.gateway.api.list.match.Span;
import dev.ligeiro.gateway.http.limit.BoundedReads;
import dev.ligeiro.transaction.Tenant;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * How many transactions a tenant has created on each of some days. The number of a day that is over never changes, so it is kept; today's is kept
 * for some seconds. A request waits a moment for those that are missing, and goes without the others, which are counted on: a later request has
 * them. Each count has its turn among the tenant's lists.
 */
@Component
public class DailyCounts {

    private static final Duration WAIT_MAX = Duration.ofMillis(200);
    private static final Duration PAST_KEPT_FOR = Duration.ofMinutes(30);
    private static final Duration TODAY_KEPT_FOR = Duration.ofSeconds(5);

    private final CountMatches counts;
    private final BoundedReads reads;
    private final Clock clock;
    private final Cache<Day, Long> kept = Caffeine.newBuilder()
            .maximumSize(GatewayMemoryBudget.SMALL_ENTRIES_MAX)
            .expireAfter(Expiry.<Day, Long>writing((day, count) -> isOver(day.span) ? PAST_KEPT_FOR : TODAY_KEPT_FOR))
            .build();
    /** One for each tenant, which its requests share. */
    private final Map<Tenant, Mono<Void>> running = new ConcurrentHashMap<>();

    DailyCounts(CountMatches counts, BoundedReads reads, Clock clock) {
        this.counts = counts;
        this.reads = reads;
        this.clock = clock;
    }

    /** The counts of those days that could be counted in time. */
    public Mono<Map<Span, Long>> of(Tenant tenant, List<Span> days) {
        Map<Span, Long> known = known(tenant, days);
        List<Span> missing =
                days.stream().filter(day -> !known.containsKey(day)).toList();
        Mono<Void> counted = missing.isEmpty() ? Mono.empty() : count(tenant, missing);
        return counted.timeout(WAIT_MAX, Mono.empty())
                .onErrorComplete()
                .then(Mono.fromSupplier(() -> known(tenant, days)));
    }

    private Map<Span, Long> known(Tenant tenant, List<Span> days) {
        Map<Span, Long> known = new HashMap<>();
        for (Span day : days) {
            Long count = kept.getIfPresent(new Day(tenant, day));
            if (count != null) {
                known.put(day, count);
            }
        }
        return known;
    }

    private boolean isOver(Span day) {
        return day.endMilli() < clock.millis() - CountRange.SETTLED_AFTER.toMillis();
    }

    /** Goes on when the request that has started it has gone. */
    private Mono<Void> count(Tenant tenant, List<Span> missing) {
        return running.computeIfAbsent(tenant, one -> {
            Mono<Void> shared = Flux.fromIterable(missing)
                    .concatMap(day -> count(tenant, day), 1)
                    .then()
                    .doFinally(signal -> running.remove(tenant))
                    .cache();
            // not in this thread, which holds the map's entry
            Schedulers.parallel().schedule(() -> shared.subscribe(done -> {}, failed -> {}));
            return shared;
        });
    }

    private Mono<Long> count(Tenant tenant, Span day) {
        Filter all = new Filter(tenant, List.of());
        return reads.list(tenant, counts.atOnce(all, day))
                .switchIfEmpty(Mono.defer(() -> counts.inBackground(all, day)))
                .map(Counts::total)
                .doOnNext(count -> kept.put(new Day(tenant, day), count));
    }

    private record Day(Tenant tenant, Span span) {}
}
