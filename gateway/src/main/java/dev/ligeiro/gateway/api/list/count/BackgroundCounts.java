package dev.ligeiro.gateway.api.list.count;

import dev.ligeiro.gateway.api.list.match.Filter;
import dev.ligeiro.gateway.api.list.match.Span;
import dev.ligeiro.gateway.store.LongReadProperties;
import dev.ligeiro.transaction.Tenant;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Counts that go on in the background when the requests that wait for them have been answered. At most one runs for the same
 * filter and span, because a second one would count the same days.
 */
@Component
class BackgroundCounts {

    /** Of one tenant, while more than half of the places are free; then one. */
    private static final int PER_TENANT_MAX = 2;

    /** Guarded by this. */
    private final Map<Key, RunningCount> running = new HashMap<>();

    BackgroundCounts(MeterRegistry registry) {
        Gauge.builder("ligeiro.gateway.list.counts.running", this::count)
                .description("Counts that run in the background")
                .register(registry);
    }

    private synchronized int count() {
        return running.size();
    }

    /**
     * Starts the counting. If one of the same filter and span is running, it may have begun before a change that this request must see:
     * then this request waits for its end, and for the next one, which it starts unless another request has.
     *
     * @return empty if too many are running
     */
    Mono<Counts> run(Filter filter, Span span, Function<Progress, Mono<Counts>> counting) {
        Key key = new Key(filter, span);
        return Mono.defer(() -> {
            RunningCount found = running(key);
            return found == null
                    ? startOrJoin(key, counting)
                    : found.end().onErrorComplete().then(Mono.defer(() -> startOrJoin(key, counting)));
        });
    }

    private Mono<Counts> startOrJoin(Key key, Function<Progress, Mono<Counts>> counting) {
        RunningCount mine = new RunningCount(new Progress(), new CompletableFuture<>());
        RunningCount entered = enter(key, mine);
        if (entered == mine) {
            Mono.defer(() -> counting.apply(mine.progress))
                    .doOnTerminate(() -> leave(key))
                    .subscribe(mine.result::complete, mine.result::completeExceptionally);
        }
        return entered == null ? Mono.empty() : entered.end();
    }

    private synchronized @Nullable RunningCount running(Key key) {
        return running.get(key);
    }

    /** The progress of the running one, or null. */
    @Nullable
    Progress progress(Filter filter, Span span) {
        RunningCount count = running(new Key(filter, span));
        return count == null ? null : count.progress;
    }

    /** The one that is running with this key, which is {@code mine} if there was none; null if too many are running. */
    private synchronized @Nullable RunningCount enter(Key key, RunningCount mine) {
        RunningCount other = running.get(key);
        if (other != null) {
            return other;
        }
        if (!hasRoom(key.filter.tenant())) {
            return null;
        }
        running.put(key, mine);
        return mine;
    }

    private boolean hasRoom(Tenant tenant) {
        long ofTenant = running.keySet().stream()
                .filter(each -> each.filter.tenant().equals(tenant))
                .count();
        int max = LongReadProperties.BACKGROUND_COUNTS_MAX;
        return running.size() < max && ofTenant < (running.size() < max / 2 ? PER_TENANT_MAX : 1);
    }

    private synchronized void leave(Key key) {
        running.remove(key);
    }

    private record Key(Filter filter, Span span) {}

    private record RunningCount(Progress progress, CompletableFuture<Counts> result) {

        /** Its result. A request that is canceled does not cancel the count. */
        private Mono<Counts> end() {
            return Mono.fromFuture(result, true);
        }
    }

    /** How far the counting of a range is. */
    static final class Progress {

        private final AtomicInteger counted = new AtomicInteger();
        private volatile int days;

        /** @param valid days that need no counting */
        void start(int valid, int all) {
            counted.set(valid);
            days = all;
        }

        void counted() {
            counted.incrementAndGet();
        }

        /** In words, for a client that waits. */
        String text() {
            return counted + " of " + days + " days are counted";
        }
    }
}
