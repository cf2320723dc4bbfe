package dev.ligeiro.gateway.api.list;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import dev.ligeiro.gateway.GatewayMemoryBudget;
import dev.ligeiro.gateway.api.list.CountDays.Progress;
import dev.ligeiro.gateway.http.limit.BoundedReads;
import dev.ligeiro.gateway.store.LongReadProperties;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Counts the matches of a filter exactly. A filter with few matches is counted for each request. For one with many, counts are cached
 * ({@link CountDays} says why they are exact). A request that would wait too long for missing counts gets a 503. Counting goes on then; the
 * repeated request begins with the counts that were cached.
 */
@Component
public class CountMatches {

    private static final Duration FILTERS_WITH_MANY_FOR = Duration.ofHours(1);

    private static final int DAYS_AT_ONCE_MAX = 8;
    private static final Duration AT_ONCE_MAX = Duration.ofSeconds(1);

    /** How long a request waits for counts that are missing: less than most clients wait for a response. */
    private static final Duration WAIT_MAX = Duration.ofSeconds(8);

    private static final Duration RETRY_AFTER = Duration.ofSeconds(3);
    private static final Duration RETRY_AFTER_BUSY = Duration.ofSeconds(2);

    /** The background counts of one tenant, while more than half of the places are free; then one. */
    private static final int PER_TENANT_MAX = 2;

    private static final Duration DAILY_WAIT_MAX = Duration.ofMillis(200);
    private static final Duration PAST_DAY_FOR = Duration.ofMinutes(30);
    private static final Duration TODAY_FOR = Duration.ofSeconds(5);

    private final CountByKeys keys;
    private final CountDays days;
    private final BoundedReads reads;
    private final Clock clock;
    private final Duration waitMax;
    private final Cache<Filter, Boolean> filtersWithMany = Caffeine.newBuilder()
            .maximumWeight(GatewayMemoryBudget.FILTER_TERMS_MAX)
            .weigher((Filter filter, Boolean many) -> 1 + filter.terms().size())
            .expireAfterWrite(FILTERS_WITH_MANY_FOR)
            .build();

    /** Background counts. Guarded by this. */
    private final Map<Key, RunningCount> running = new HashMap<>();

    private final Cache<Key, Long> daily = Caffeine.newBuilder()
            .maximumSize(GatewayMemoryBudget.SMALL_ENTRIES_MAX)
            .expireAfter(Expiry.<Key, Long>writing((day, count) -> isOver(day.span) ? PAST_DAY_FOR : TODAY_FOR))
            .build();
    /** The daily counting of each tenant, which its requests share. */
    private final Map<Tenant, Mono<Void>> dailyRunning = new ConcurrentHashMap<>();

    @Autowired
    CountMatches(CountByKeys keys, CountDays days, BoundedReads reads, Clock clock, MeterRegistry registry) {
        this(keys, days, reads, clock, registry, WAIT_MAX);
    }

    CountMatches(
            CountByKeys keys,
            CountDays days,
            BoundedReads reads,
            Clock clock,
            MeterRegistry registry,
            Duration waitMax) {
        this.keys = keys;
        this.days = days;
        this.reads = reads;
        this.clock = clock;
        this.waitMax = waitMax;
        Gauge.builder("ligeiro.gateway.list.counts.running", this::inBackground)
                .description("Counts that run in the background")
                .register(registry);
    }

    private record Key(Filter filter, Span span) {}

    /** A count in the background. A request that is canceled does not cancel it. */
    private record RunningCount(Progress progress, CompletableFuture<Counts> result) {

        private Mono<Counts> end() {
            return Mono.fromFuture(result, true);
        }
    }

    /** @return empty if the counting takes too long for that: see {@link #inBackground} */
    Mono<Counts> atOnce(Filter filter, Span span) {
        if (filtersWithMany.getIfPresent(filter) != null) {
            return cachedAtOnce(filter, span);
        }
        return keys.upTo(filter, span, keys.keysMax(filter) / 2)
                .map(counted -> Counts.of(span, counted.matches()))
                .switchIfEmpty(Mono.defer(() -> {
                    filtersWithMany.put(filter, true);
                    return cachedAtOnce(filter, span);
                }));
    }

    /** @return empty if it takes longer than a second, or the counts of more than eight days are missing */
    Mono<Counts> cachedAtOnce(Filter filter, Span span) {
        return days.count(filter, span, DAYS_AT_ONCE_MAX, new Progress()).timeout(AT_ONCE_MAX, Mono.empty());
    }

    /**
     * Counts in the background, and waits for the result some seconds at most.
     *
     * @throws Problem 503 if it takes longer: the counting goes on. Also if too many counts run in the background
     */
    Mono<Counts> inBackground(Filter filter, Span span) {
        return inBackground(filter, span, progress -> days.count(filter, span, Integer.MAX_VALUE, progress));
    }

    /**
     * One count at most runs for the same filter and span, because a second one would count the same days. One that is running may have begun
     * before a change that this request must see: then this request waits for its end, and for the next one, which it starts unless
     * another request has.
     */
    Mono<Counts> inBackground(Filter filter, Span span, Function<Progress, Mono<Counts>> counting) {
        Key key = new Key(filter, span);
        return Mono.defer(() -> {
                    RunningCount found = running(key);
                    return found == null
                            ? startOrJoin(key, counting)
                            : found.end().onErrorComplete().then(Mono.defer(() -> startOrJoin(key, counting)));
                })
                .timeout(waitMax, Mono.error(() -> stillCounting(key)));
    }

    private Mono<Counts> startOrJoin(Key key, Function<Progress, Mono<Counts>> counting) {
        RunningCount mine = new RunningCount(new Progress(), new CompletableFuture<>());
        RunningCount entered = enter(key, mine);
        if (entered == null) {
            return Mono.error(Problem.unavailable("Other lists are being counted", RETRY_AFTER_BUSY));
        }
        if (entered == mine) {
            Mono.defer(() -> counting.apply(mine.progress))
                    .doOnTerminate(() -> leave(key))
                    .subscribe(mine.result::complete, mine.result::completeExceptionally);
        }
        return entered.end();
    }

    private synchronized @Nullable RunningCount running(Key key) {
        return running.get(key);
    }

    private synchronized int inBackground() {
        return running.size();
    }

    /** The one that is running with this key, which is {@code mine} if there was none; null if too many are running. */
    private synchronized @Nullable RunningCount enter(Key key, RunningCount mine) {
        RunningCount other = running.get(key);
        if (other != null) {
            return other;
        }
        long ofTenant = running.keySet().stream()
                .filter(each -> each.filter.tenant().equals(key.filter.tenant()))
                .count();
        int max = LongReadProperties.BACKGROUND_COUNTS_MAX;
        if (running.size() == max || ofTenant >= (running.size() < max / 2 ? PER_TENANT_MAX : 1)) {
            return null;
        }
        running.put(key, mine);
        return mine;
    }

    private synchronized void leave(Key key) {
        running.remove(key);
    }

    private Problem stillCounting(Key key) {
        RunningCount count = running(key);
        String detail = count == null ? "" : ": " + count.progress.text() + " so far";
        return Problem.unavailable("The matching transactions are being counted" + detail + ". Ask again", RETRY_AFTER);
    }

    Mono<Long> older(Filter filter, Counts counts, TransactionId id) {
        Mono<Long> inPart = counts.containing(id)
                .map(part -> keys.count(filter, part.span().below(id)))
                .orElse(Mono.just(0L));
        return inPart.map(older -> counts.below(id) + older);
    }

    /**
     * How many transactions a tenant has created on each of these days. The number of a day that is over never changes, so it is cached;
     * today's is cached for some seconds. A request waits a moment for the days that are missing, and goes without those that are not counted
     * by then: they are counted on, each in its turn among the tenant's lists, and a later request has them.
     */
    public Mono<Map<Span, Long>> createdDaily(Tenant tenant, List<Span> spans) {
        List<Key> all = spans.stream()
                .map(span -> new Key(new Filter(tenant, List.of()), span))
                .toList();
        List<Key> missing =
                all.stream().filter(day -> daily.getIfPresent(day) == null).toList();
        return (missing.isEmpty() ? Mono.<Void>empty() : countDaily(tenant, missing))
                .timeout(DAILY_WAIT_MAX, Mono.empty())
                .onErrorComplete()
                .then(Mono.fromSupplier(() -> {
                    Map<Span, Long> known = new HashMap<>();
                    daily.getAllPresent(all).forEach((day, count) -> known.put(day.span, count));
                    return known;
                }));
    }

    private boolean isOver(Span day) {
        return day.endMilli() < clock.millis() - CountDays.SETTLED_AFTER.toMillis();
    }

    /** Goes on when the request that has started it has gone. */
    private Mono<Void> countDaily(Tenant tenant, List<Key> missing) {
        return dailyRunning.computeIfAbsent(tenant, one -> {
            Mono<Void> shared = Flux.fromIterable(missing)
                    .concatMap(
                            day -> reads.list(tenant, atOnce(day.filter, day.span))
                                    .switchIfEmpty(Mono.defer(() -> inBackground(day.filter, day.span)))
                                    .doOnNext(counts -> daily.put(day, counts.total())),
                            1)
                    .then()
                    .doFinally(signal -> dailyRunning.remove(tenant))
                    .cache();
            // not in this thread, which holds the map's entry
            Schedulers.parallel().schedule(() -> shared.subscribe(done -> {}, failed -> {}));
            return shared;
        });
    }
}
