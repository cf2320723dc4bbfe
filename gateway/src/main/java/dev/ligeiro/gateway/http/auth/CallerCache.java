package dev.ligeiro.gateway.http.auth;

import com.github.benmanes.caffeine.cache.AsyncLoadingCache;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.ligeiro.gateway.GatewayMemoryBudget;
import dev.ligeiro.gateway.http.PassedTime;
import dev.ligeiro.gateway.http.Route;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Keeps callers by the hash of their key, or of the token of their session. A caller is used until 5 seconds after its look-up began, and read again after 2.5 seconds, while
 * requests go on with the kept one. So a revoked key works for at most 5 seconds on the other gateways, and no request of a busy key waits
 * for MongoDB. Requests with the same key share a look-up. A failed look-up is not kept; its requests fail.
 */
@Component
class CallerCache {

    private static final Duration USED_MAX = Duration.ofSeconds(5);
    private static final Duration REFRESH_AFTER = Duration.ofMillis(2_500);

    private final Function<String, Mono<Caller>> lookUp;
    private final Ticker ticker;
    private final AsyncLoadingCache<String, Kept> callers;
    /** Apart from the callers, so that random keys push out none of them. */
    private final Cache<String, Boolean> refused;

    /** @param readNanos when the look-up began */
    private record Kept(Caller caller, long readNanos) {}

    @Autowired
    CallerCache(LookUpCallers lookUp, Clock clock) {
        this(lookUp::find, clock);
    }

    /** @param lookUp {@link LookUpCallers#find} */
    CallerCache(Function<String, Mono<Caller>> lookUp, Clock clock) {
        PassedTime time = new PassedTime(clock);
        this.lookUp = lookUp;
        this.ticker = () -> time.sinceStart().toNanos();
        this.callers = Caffeine.newBuilder()
                .ticker(ticker)
                .maximumSize(GatewayMemoryBudget.callersMax(Runtime.getRuntime().maxMemory()))
                .expireAfter(Expiry.<String, Kept>writing((hash, kept) -> left(kept)))
                .refreshAfterWrite(REFRESH_AFTER)
                .buildAsync((hash, executor) -> read(hash));
        this.refused = Caffeine.newBuilder()
                .ticker(ticker)
                .maximumSize(GatewayMemoryBudget.SMALL_ENTRIES_MAX)
                .expireAfterWrite(USED_MAX)
                .build();
    }

    private Duration left(Kept kept) {
        return USED_MAX.minusNanos(ticker.read() - kept.readNanos);
    }

    /** The caller as it was read up to 5 seconds ago; null when it must be looked up. */
    @Nullable
    Caller kept(String hash) {
        Kept kept = callers.synchronous().getIfPresent(hash);
        return kept == null ? null : kept.caller;
    }

    /** Looks the caller up; empty when there is no valid key with this hash. Fails when too many keys are being looked up. */
    Mono<Caller> lookUp(String hash) {
        // canceling the wait of one request must not cancel the look-up that others share
        return refused.getIfPresent(hash) != null
                ? Mono.empty()
                : Mono.fromFuture(() -> callers.get(hash), true).map(Kept::caller);
    }

    /** Forgets one caller. */
    void outdate(String hash) {
        callers.synchronous().invalidate(hash);
    }

    private CompletableFuture<Kept> read(String hash) {
        long readNanos = ticker.read();
        return lookUp.apply(hash)
                .timeout(Route.TIMEOUT)
                .map(caller -> new Kept(caller, readNanos))
                .doOnSuccess(found -> noteRefused(hash, found))
                .toFuture();
    }

    private void noteRefused(String hash, @Nullable Kept found) {
        if (found == null) {
            refused.put(hash, true);
        }
    }
}
