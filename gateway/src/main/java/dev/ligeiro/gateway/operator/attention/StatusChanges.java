package dev.ligeiro.gateway.operator.attention;

import dev.ligeiro.gateway.http.html.OpenStreams;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Tells those who watch the status that it has changed. All watchers of a gateway share one reading each 3 s, and without a watcher there is none.
 * A change is another list of attention, another count of open work or another running process. Ages grow all the time, so they count as a
 * change each 30 s.
 */
@Component
public class StatusChanges {

    private static final Duration EVERY = Duration.ofSeconds(3);
    private static final Duration AGES_EVERY = Duration.ofSeconds(30);
    /** Each keeps a connection. */
    private static final int WATCHERS_MAX = 200;
    /** Then the stream ends; a page that is still open connects again, if its session has not ended. */
    private static final Duration WATCH_MAX = Duration.ofMinutes(15);

    private final Flux<Boolean> changes;
    private final OpenStreams streams;
    private final AtomicInteger watchers = new AtomicInteger();

    @Autowired
    StatusChanges(ReadStatus status, OpenStreams streams) {
        this(status::read, streams);
    }

    StatusChanges(Supplier<Mono<SystemStatus>> status, OpenStreams streams) {
        this.streams = streams;
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
                    return streams.untilStop(changes.take(WATCH_MAX));
                })
                .doFinally(end -> watchers.decrementAndGet());
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
