package dev.ligeiro.gateway.list.count;

import dev.ligeiro.gateway.list.match.Filter;
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
 * Counts that go on in the background when the requests that wait for them have been answered. At most one runs for each filter of a
 * tenant, because a second one would count the same slices.
 */
class BackgroundCounts {

    private static final int PER_TENANT_MAX = 2;
    private static final Duration RETRY_AFTER = Duration.ofSeconds(2);

    private final CountMetrics metrics;

    /** Guarded by this. */
    private final Map<Filter, Run> running = new HashMap<>();

    BackgroundCounts(CountMetrics metrics) {
        this.metrics = metrics;
    }

    /**
     * Starts the counting, or waits for the end of the running one.
     *
     * @return the result; empty if another one was running, which may have begun before a change that this request must see
     */
    Mono<Counts> run(Filter filter, Function<Progress, Mono<Counts>> counting) {
        Run mine = new Run(new Progress(), new CompletableFuture<>());
        Run other = enter(filter, mine);
        if (other != null) {
            return Mono.fromFuture(other.result, true).onErrorComplete().then(Mono.empty());
        }
        Mono.defer(() -> counting.apply(mine.progress))
                .doOnTerminate(() -> leave(filter))
                .subscribe(mine.result::complete, mine.result::completeExceptionally);
        return Mono.fromFuture(mine.result, true);
    }

    /** The progress of the running one, or null. */
    synchronized @Nullable Progress progress(Filter filter) {
        Run run = running.get(filter);
        return run == null ? null : run.progress;
    }

    /** The run of the same filter, or null if {@code mine} is the running one from now on. */
    private synchronized @Nullable Run enter(Filter filter, Run mine) {
        Run other = running.get(filter);
        if (other == null) {
            long ofTenant = running.keySet().stream()
                    .filter(each -> each.tenant().equals(filter.tenant()))
                    .count();
            if (running.size() >= LongReadProperties.BACKGROUND_COUNTS_MAX || ofTenant >= PER_TENANT_MAX) {
                throw Problem.unavailable("Other lists are being counted", RETRY_AFTER);
            }
            running.put(filter, mine);
            metrics.running(running.size());
        }
        return other;
    }

    private synchronized void leave(Filter filter) {
        running.remove(filter);
        metrics.running(running.size());
    }

    private record Run(Progress progress, CompletableFuture<Counts> result) {}
}
