package dev.ligeiro.gateway.http.auth;

import com.github.benmanes.caffeine.cache.AsyncLoadingCache;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.ligeiro.gateway.GatewayMemoryBudget;
import dev.ligeiro.gateway.http.PassedTime;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.problem.Problems;
import dev.ligeiro.gateway.store.MerchantStore;
import dev.ligeiro.merchant.ApiKey;
import dev.ligeiro.merchant.Merchant;
import dev.ligeiro.support.work.BatchedLookup;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Keeps callers by the hash of their key, or of the token of their session. A caller is used until 5 seconds after its look-up began, and
 * read again after 2.5 seconds, while requests go on with the kept one. So a revoked key works for at most 5 seconds on the other gateways,
 * and no request of a busy key waits for MongoDB. Requests with the same key share a look-up. A failed look-up is not kept; its requests
 * fail.
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
    CallerCache(KeyStore keys, ConsoleSessionStore sessions, MerchantStore merchants, Clock clock) {
        this(new LookUp(keys, sessions, merchants, clock)::find, clock);
    }

    /** @param lookUp {@link LookUp#find} */
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

    /** Looks callers up in MongoDB, up to 128 in one query; one query runs at a time, so random keys take one connection at most. */
    private static final class LookUp {

        private static final int BATCH_MAX = 128;
        private static final int IN_FLIGHT_MAX = 1;
        private static final int QUEUED_MAX = 2_000;
        private static final Duration SPACING = Duration.ofMillis(2);

        /** The stored time of a key's last use is written again when it is older. */
        private static final Duration LAST_USE_AGE_MAX = Duration.ofMinutes(5);

        private final KeyStore keys;
        private final ConsoleSessionStore sessions;
        private final MerchantStore merchants;
        private final Clock clock;
        private final BatchedLookup<String, Caller> lookup;

        LookUp(KeyStore keys, ConsoleSessionStore sessions, MerchantStore merchants, Clock clock) {
            this.keys = keys;
            this.sessions = sessions;
            this.merchants = merchants;
            this.clock = clock;
            this.lookup = new BatchedLookup<>(
                    BATCH_MAX, IN_FLIGHT_MAX, QUEUED_MAX, SPACING, this::callers, Problems::isUnavailable);
        }

        /**
         * The caller of the key with this hash, also of an expired one; empty when the key is unknown or revoked, or the session has ended.
         *
         * @param hash {@link BearerKey#hash}
         */
        Mono<Caller> find(String hash) {
            return lookup.find(hash);
        }

        private Mono<Map<String, Caller>> callers(List<String> hashes) {
            List<String> ofSessions = hashes.stream()
                    .filter(hash -> hash.startsWith(BearerKey.SESSION))
                    .map(hash -> hash.substring(BearerKey.SESSION.length()))
                    .toList();
            return ofSessions.isEmpty()
                    ? ofKeys(hashes)
                    : sessions.open(ofSessions)
                            .flatMap(open -> withSessions(hashes, open))
                            .timeout(Route.TIMEOUT);
        }

        private Mono<Map<String, Caller>> withSessions(List<String> hashes, List<ConsoleSession> open) {
            Set<String> all = new HashSet<>(hashes);
            open.forEach(session -> all.add(session.keyHash()));
            return ofKeys(all)
                    .doOnNext(found -> open.forEach(session -> {
                        Caller ofKey = found.get(session.keyHash());
                        if (ofKey != null && !ofKey.isExpired(clock.instant())) {
                            found.put(
                                    BearerKey.sessionHash(Objects.requireNonNull(session.cookieHash())),
                                    ofKey.in(session));
                        }
                    }));
        }

        /** The callers by the hashes of their keys. */
        private Mono<Map<String, Caller>> ofKeys(Collection<String> hashes) {
            return keys.unrevoked(hashes)
                    .flatMap(unrevoked -> merchants
                            .all(merchantIds(unrevoked))
                            .map(all -> callers(unrevoked, all))
                            .doOnNext(found -> writeLastUse(unrevoked)))
                    .timeout(Route.TIMEOUT);
        }

        private static Map<String, Caller> callers(List<ApiKey> keys, Map<UUID, Merchant> merchants) {
            Map<String, Caller> callers = new HashMap<>();
            for (ApiKey key : keys) {
                Merchant merchant = merchants.get(key.merchantId());
                if (merchant != null) {
                    callers.put(key.hash(), Caller.of(key, merchant));
                }
            }
            return callers;
        }

        private static Set<UUID> merchantIds(List<ApiKey> keys) {
            return keys.stream().map(ApiKey::merchantId).collect(Collectors.toSet());
        }

        /** No request waits for it. When it fails, one of the next look-ups writes the time. */
        private void writeLastUse(List<ApiKey> used) {
            Instant now = clock.instant();
            Instant old = now.minus(LAST_USE_AGE_MAX);
            List<UUID> due = used.stream()
                    .filter(key -> key.isActive(now))
                    .filter(key -> key.lastUsedAt() == null || key.lastUsedAt().isBefore(old))
                    .map(ApiKey::id)
                    .toList();
            if (!due.isEmpty()) {
                keys.setLastUse(due, now, old).onErrorComplete().subscribe();
            }
        }
    }
}
