package dev.ligeiro.gateway.operator.admin;

import dev.ligeiro.gateway.http.auth.ApiKey;
import dev.ligeiro.gateway.http.auth.Callers;
import dev.ligeiro.gateway.http.auth.KeyStore;
import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
import dev.ligeiro.gateway.http.request.TimeText;
import dev.ligeiro.gateway.store.merchant.MerchantStore;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.UuidV7;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Makes, rotates and revokes API keys. A change takes effect on this gateway at once, on others within 5 seconds. */
@Component
class AdministerKeys {

    private final KeyStore store;
    private final MerchantStore merchants;
    private final Callers callers;
    private final Clock clock;

    AdministerKeys(KeyStore store, MerchantStore merchants, Callers callers, Clock clock) {
        this.store = store;
        this.merchants = merchants;
        this.callers = callers;
        this.clock = clock;
    }

    /**
     * Makes a key. Only its hash is stored, so the key itself is known only from this result.
     *
     * @param name what the key is for; null when not given
     * @param scopes their codes
     * @param expiresAt null for never
     */
    Mono<MadeKey> add(
            UUID merchantId, Mode mode, @Nullable String name, List<String> scopes, @Nullable Instant expiresAt) {
        String key = ApiKey.generate(mode);
        ApiKey stored = new ApiKey(
                newId(),
                ApiKey.hash(key),
                merchantId,
                name,
                mode,
                scopes,
                expiresAt,
                null,
                null,
                null,
                null,
                null,
                now());
        return requireMerchant(merchantId).then(store.insert(stored)).thenReturn(new MadeKey(stored, key, null));
    }

    Mono<AdminPage<ApiKey, UUID>> page(UUID merchantId, @Nullable UUID after) {
        return requireMerchant(merchantId)
                .then(store.keys(merchantId, after, AdminPage.ITEMS_MAX + 1))
                .map(found -> AdminPage.of(found, ApiKey::id));
    }

    Mono<ApiKey> key(UUID merchantId, UUID keyId) {
        return store.key(merchantId, keyId).switchIfEmpty(Mono.error(AdminIds::notFound));
    }

    /**
     * Makes a key in place of an active one, which goes on working for the overlap. Fails with 409 when the key is revoked or expired. A
     * failed rotation changes nothing; if only its response was lost, a further rotation of the same key makes another new key, with the same
     * lifetime.
     *
     * @param overlap how long the old key works beside the new one
     * @param expiresAt of the new key; null for the lifetime of the old one
     */
    Mono<MadeKey> rotate(UUID merchantId, UUID keyId, Duration overlap, @Nullable Instant expiresAt) {
        return key(merchantId, keyId).flatMap(old -> {
            Instant now = now();
            if (!old.isActive(now)) {
                throw notActive();
            }
            String key = ApiKey.generate(old.mode());
            ApiKey next = old.rotated(newId(), ApiKey.hash(key), newExpiry(old, expiresAt, now), now);
            ApiKey previous = old.rotatedUntil(oldExpiry(old, overlap, now), now);
            return store.replace(previous, next)
                    .filter(Boolean::booleanValue)
                    .switchIfEmpty(Mono.error(AdministerKeys::notActive))
                    .doOnNext(done -> callers.changed())
                    .thenReturn(new MadeKey(next, key, previous));
        });
    }

    /** When the old key expires: never later than before. */
    static Instant oldExpiry(ApiKey old, Duration overlap, Instant now) {
        Instant end = now.plus(overlap);
        return old.expiresAt() == null || end.isBefore(old.expiresAt()) ? end : old.expiresAt();
    }

    /** When the new key expires: as given, else after the lifetime that the old key was made for; null for never. */
    static @Nullable Instant newExpiry(ApiKey old, @Nullable Instant given, Instant now) {
        Duration lifetime = old.lifetime();
        if (given != null || lifetime == null) {
            return given;
        }
        Instant end = now.plus(lifetime);
        return end.isBefore(TimeText.LATEST) ? end : TimeText.LATEST;
    }

    Mono<Void> revoke(UUID merchantId, UUID keyId) {
        return store.revoke(merchantId, keyId, now())
                .filter(Boolean::booleanValue)
                .switchIfEmpty(Mono.error(AdminIds::notFound))
                .doOnNext(done -> callers.changed())
                .then();
    }

    private Mono<Void> requireMerchant(UUID merchantId) {
        return merchants
                .merchant(merchantId)
                .switchIfEmpty(Mono.error(AdminIds::notFound))
                .then();
    }

    private static Problem notActive() {
        return Problem.of(ProblemCode.KEY_NOT_ACTIVE, "Make a new key instead");
    }

    private UUID newId() {
        return UuidV7.at(clock.millis());
    }

    private Instant now() {
        return Instant.ofEpochMilli(clock.millis());
    }

    /**
     * A new API key.
     *
     * @param key in plain text, which is not stored
     * @param previous the key that it replaces, with its new expiry; null for none
     */
    record MadeKey(ApiKey stored, String key, @Nullable ApiKey previous) {

        /** Without the key. */
        @Override
        public String toString() {
            return "MadeKey[id=" + stored.id() + "]";
        }
    }
}
