package dev.ligeiro.gateway.http.auth;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.ligeiro.gateway.MemoryBudget;
import dev.ligeiro.gateway.http.Route;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Keeps callers by the hash of their key. A caller is used for up to 5 seconds and read again after 2.5 seconds, while requests go on
 * with the kept one. So a revoked key works for at most 5 seconds on the other gateways, and no request of a busy key waits for MongoDB.
 */
@Component
class CallerCache {

    private static final Duration USED_MAX = Duration.ofSeconds(5);
    private static final Duration REFRESH_AFTER = Duration.ofMillis(2_500);

    /** Longer than {@link #USED_MAX}: an older entry says that the key was valid, so its next look-up has precedence. */
    private static final Duration KEPT_MAX = Duration.ofHours(1);

    private final Cache<String, Entry> callers;
    private final Cache<String, Instant> refused;
    private final Map<Running, Mono<Caller>> running = new ConcurrentHashMap<>();
    private final CallerLookup lookup;
    /** An entry of an earlier generation is outdated, also when its look-up was still running at that time. */
    private final AtomicInteger generation = new AtomicInteger();

    CallerCache(CallerLookup lookup) {
        this.lookup = lookup;
        this.callers = Caffeine.newBuilder()
                .maximumSize(MemoryBudget.callersMax(Runtime.getRuntime().maxMemory()))
                .expireAfterWrite(KEPT_MAX)
                .build();
        this.refused = Caffeine.newBuilder()
                .maximumSize(MemoryBudget.SMALL_ENTRIES_MAX)
                .expireAfterWrite(USED_MAX)
                .build();
    }

    /** The caller as it was read up to 5 seconds ago; null when it must be looked up. */
    @Nullable
    Caller kept(String hash, Instant now) {
        Entry entry = callers.getIfPresent(hash);
        if (entry == null || !entry.isUsable(now, generation.get())) {
            return null;
        }
        if (entry.shouldRefresh(now)) {
            // a failure is not reported: the next request without a usable entry waits for a look-up of its own
            lookUp(hash, now, true).onErrorComplete().subscribe();
        }
        return entry.caller;
    }

    /** Looks the caller up; empty when there is no valid key with this hash. Fails when too many keys are being looked up. */
    Mono<Caller> lookUp(String hash, Instant now) {
        boolean wasValid = callers.getIfPresent(hash) != null;
        return !wasValid && refused.getIfPresent(hash) != null ? Mono.empty() : lookUp(hash, now, wasValid);
    }

    void outdate() {
        generation.incrementAndGet();
    }

    /** Requests with the same key share a running look-up, so the look-ups that wait are at most as many as the keys. */
    private Mono<Caller> lookUp(String hash, Instant now, boolean wasValid) {
        Running key = new Running(hash, generation.get());
        Mono<Caller> own = Mono.defer(() -> lookup.find(hash, wasValid))
                .timeout(Route.TIMEOUT)
                .doOnNext(caller -> callers.put(hash, new Entry(caller, now, key.generation)))
                .switchIfEmpty(Mono.fromRunnable(() -> {
                    callers.invalidate(hash);
                    refused.put(hash, now);
                }))
                // before the answer: a request that follows it shares no look-up from before
                .doOnTerminate(() -> running.remove(key))
                .cache();
        Mono<Caller> earlier = running.putIfAbsent(key, own);
        return earlier == null ? own : earlier;
    }

    /** A look-up from before a change is not shared with requests after it. */
    private record Running(String hash, int generation) {}

    private static final class Entry {

        private final Caller caller;
        private final int generation;
        private final Instant readAt;
        private final Instant refreshAt;
        private final Instant usableBefore;
        private final AtomicBoolean refreshing = new AtomicBoolean();

        private Entry(Caller caller, Instant readAt, int generation) {
            this.caller = caller;
            this.generation = generation;
            this.readAt = readAt;
            this.refreshAt = readAt.plus(REFRESH_AFTER);
            this.usableBefore = readAt.plus(USED_MAX);
        }

        /** Not when the clock was set back before the read: its age is then unknown. */
        private boolean isUsable(Instant now, int current) {
            return generation == current && !now.isBefore(readAt) && now.isBefore(usableBefore);
        }

        /** True once. */
        private boolean shouldRefresh(Instant now) {
            return !now.isBefore(refreshAt) && refreshing.compareAndSet(false, true);
        }
    }
}
