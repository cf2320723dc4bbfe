package dev.ligeiro.gateway.list.count;

import dev.ligeiro.gateway.list.match.Filter;
import dev.ligeiro.gateway.list.match.Span;
import dev.ligeiro.gateway.mongo.LongReadProperties;
import dev.ligeiro.gateway.problem.Problem;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Counts that go on in the background when the requests that wait for them have been answered. At most one runs for the same
 * filter and span, because a second one would count the same slices.
 */
class BackgroundCounts {

    private static final int PER_TENANT_MAX = 2;
    private static final Duration RETRY_AFTER = Duration.ofSeconds(2);

    private final CountMetrics metrics;

    /** Guarded by this. */
    private final Map<Key, RunningCount> running = new HashMap<>();

    BackgroundCounts(CountMetrics metrics) {
        this.metrics = metrics;
    }

    /**
     * Starts the counting. If one of the same filter and span is running, it may have begun before a change that this request must see:
     * then this request waits for its end, and for the next one, which it starts unless another request has.
     *
     * @throws Problem 503 if too many are running
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
        RunningCount other = enter(key, mine);
        if (other != null) {
            return other.end();
        }
        Mono.defer(() -> counting.apply(mine.progress))
                .doOnTerminate(() -> leave(key))
                .subscribe(mine.result::complete, mine.result::completeExceptionally);
        return mine.end();
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

    /** The other one that is running with this key, or null if {@code mine} is the running one from now on. */
    private synchronized @Nullable RunningCount enter(Key key, RunningCount mine) {
        RunningCount other = running.get(key);
        if (other == null) {
            long ofTenant = running.keySet().stream()
                    .filter(each -> each.filter.tenant().equals(key.filter.tenant()))
                    .count();
            if (running.size() >= LongReadProperties.BACKGROUND_COUNTS_MAX || ofTenant >= PER_TENANT_MAX) {
                throw Problem.unavailable("Other lists are being counted", RETRY_AFTER);
            }
            running.put(key, mine);
            metrics.running(running.size());
        }
        return other;
    }

    private synchronized void leave(Key key) {
        running.remove(key);
        metrics.running(running.size());
    }

    private record Key(Filter filter, Span span) {}

    private record RunningCount(Progress progress, CompletableFuture<Counts> result) {

        /** Its result. A request that is canceled does not cancel the count. */
        private Mono<Counts> end() {
            return Mono.fromFuture(result, true);
        }
    }
}
