package dev.ligeiro.gateway.auth;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.ligeiro.gateway.api.Route;
import java.time.Duration;
import java.time.Instant;
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

    private static final int CALLERS_MAX = 50_000;
    private static final int REFUSED_MAX = 10_000;

    private final Cache<String, Entry> callers;
    private final Cache<String, Instant> refused;
    private final CallerLookup lookup;
    /** An entry of an earlier generation is outdated, also when its look-up was still running at that time. */
    private final AtomicInteger generation = new AtomicInteger();

    CallerCache(CallerLookup lookup) {
        this.lookup = lookup;
        this.callers = Caffeine.newBuilder()
                .maximumSize(CALLERS_MAX)
                .expireAfterWrite(KEPT_MAX)
                .build();
        this.refused = Caffeine.newBuilder()
                .maximumSize(REFUSED_MAX)
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

    private Mono<Caller> lookUp(String hash, Instant now, boolean wasValid) {
        int startedIn = generation.get();
        return lookup.find(hash, wasValid)
                .timeout(Route.TIMEOUT)
                .doOnNext(caller -> callers.put(hash, new Entry(caller, now, startedIn)))
                .switchIfEmpty(Mono.fromRunnable(() -> {
                    callers.invalidate(hash);
                    refused.put(hash, now);
                }));
    }

    private static final class Entry {

        private final Caller caller;
        private final Instant readAt;
        private final int generation;
        private final AtomicBoolean refreshing = new AtomicBoolean();

        private Entry(Caller caller, Instant readAt, int generation) {
            this.caller = caller;
            this.readAt = readAt;
            this.generation = generation;
        }

        /** Not when the clock was set back before the read: its age is then unknown. */
        private boolean isUsable(Instant now, int current) {
            return generation == current && !now.isBefore(readAt) && now.isBefore(readAt.plus(USED_MAX));
        }

        /** True once. */
        private boolean shouldRefresh(Instant now) {
            return !now.isBefore(readAt.plus(REFRESH_AFTER)) && refreshing.compareAndSet(false, true);
        }
    }
}
