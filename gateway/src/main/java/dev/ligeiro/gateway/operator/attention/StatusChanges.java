package dev.ligeiro.gateway.operator.attention;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Tells those who watch the status that it has changed. All watchers of a gateway share one reading each 3 s, and without a watcher there is none.
 * Figures grow all the time, so only what needs attention, what is open and which processes run count as a change; ages are shown anew each 30 s.
 */
@Component
public class StatusChanges implements SmartLifecycle {

    private static final Duration EVERY = Duration.ofSeconds(3);
    private static final Duration AGES_EVERY = Duration.ofSeconds(30);
    /** Each keeps a connection. */
    private static final int WATCHERS_MAX = 200;
    /** Then the stream ends; a page that is still open connects again, if its session has not ended. */
    private static final Duration WATCH_MAX = Duration.ofMinutes(15);

    private final Flux<Boolean> changes;
    private final AtomicInteger watchers = new AtomicInteger();
    private final Sinks.Empty<Void> stopped = Sinks.empty();
    private volatile boolean running;

    @Autowired
    StatusChanges(ReadStatus status) {
        this(status::read);
    }

    StatusChanges(Supplier<Mono<SystemStatus>> status) {
        this.changes = Flux.interval(EVERY)
                .onBackpressureDrop()
                .concatMap(tick -> status.get().map(read -> Seen.of(read, tick)).onErrorComplete(), 1)
                .distinctUntilChanged()
                .map(seen -> true)
                .publish()
                .refCount(1, EVERY);
    }

    /** An element for each change, until the gateway stops. Ends at once while too many watch. */
    public Flux<Boolean> watch() {
        return Flux.defer(() -> {
                    if (watchers.incrementAndGet() > WATCHERS_MAX) {
                        return Flux.<Boolean>empty();
                    }
                    return changes.take(WATCH_MAX).takeUntilOther(stopped.asMono());
                })
                .doFinally(end -> watchers.decrementAndGet());
    }

    @Override
    public void start() {
        running = true;
    }

    /** Runs first in a stop, since the HTTP server waits for open streams. */
    @Override
    public void stop() {
        running = false;
        stopped.tryEmitEmpty();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** What watchers would see change. */
    private record Seen(long ages, List<String> attention, List<Long> open, List<UUID> instances) {

        static Seen of(SystemStatus status, long tick) {
            return new Seen(
                    tick / (AGES_EVERY.toSeconds() / EVERY.toSeconds()),
                    status.attention().stream()
                            .map(item -> item.name() + "/" + item.about())
                            .toList(),
                    status.open().counts(),
                    status.instances().stream()
                            .map(SystemStatus.InstanceJson::id)
                            .toList());
        }
    }
}
