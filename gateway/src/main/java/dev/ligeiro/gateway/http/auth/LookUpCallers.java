package dev.ligeiro.gateway.http.auth;

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
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Looks callers up in MongoDB, up to 128 in one query; one query runs at a time, so random keys take one connection at most. */
@Component
final class LookUpCallers {

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

    LookUpCallers(KeyStore keys, ConsoleSessionStore sessions, MerchantStore merchants, Clock clock) {
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
                                BearerKey.sessionHash(Objects.requireNonNull(session.cookieHash())), ofKey.in(session));
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
