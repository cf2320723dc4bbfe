package dev.ligeiro.gateway.operator.admin;

import dev.ligeiro.gateway.http.auth.ApiKey;
import dev.ligeiro.gateway.http.auth.Callers;
import dev.ligeiro.gateway.http.auth.KeyStore;
import dev.ligeiro.gateway.http.auth.Scope;
import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
import dev.ligeiro.gateway.store.merchant.MerchantStore;
import dev.ligeiro.transaction.UuidV7;
import java.time.Clock;
import java.time.Instant;
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

    /** Makes a key. Only its hash is stored, so the key itself is known only from this result. */
    Mono<AddedKey> add(UUID merchantId, KeyRequest request) {
        String key = ApiKey.generate(request.mode());
        ApiKey stored = new ApiKey(
                newId(),
                ApiKey.hash(key),
                merchantId,
                request.name(),
                request.mode(),
                request.scopes().stream().map(Scope::code).sorted().toList(),
                request.expiresAt(),
                null,
                null,
                null,
                null,
                null,
                now());
        return requireMerchant(merchantId).then(store.insert(stored)).thenReturn(new AddedKey(stored, key));
    }

    Mono<AdminPage<ApiKey>> page(UUID merchantId, @Nullable UUID after) {
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
     */
    Mono<Rotated> rotate(UUID merchantId, UUID keyId, RotateRequest request) {
        return key(merchantId, keyId).flatMap(old -> {
            Instant now = now();
            if (!old.isActive(now)) {
                throw notActive();
            }
            String key = ApiKey.generate(old.mode());
            ApiKey next = old.rotated(newId(), ApiKey.hash(key), request.newExpiry(old, now), now);
            ApiKey previous = old.rotatedUntil(request.oldExpiry(old, now), now);
            return store.replace(previous, next)
                    .filter(Boolean::booleanValue)
                    .switchIfEmpty(Mono.error(AdministerKeys::notActive))
                    .doOnNext(done -> callers.changed())
                    .thenReturn(new Rotated(new AddedKey(next, key), previous));
        });
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

    /** @param previous the old key with its new expiry */
    record Rotated(AddedKey added, ApiKey previous) {}
}
