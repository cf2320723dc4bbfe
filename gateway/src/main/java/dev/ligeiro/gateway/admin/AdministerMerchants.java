package dev.ligeiro.gateway.admin;

import dev.ligeiro.gateway.auth.ApiKey;
import dev.ligeiro.gateway.auth.Callers;
import dev.ligeiro.gateway.auth.KeyStore;
import dev.ligeiro.gateway.auth.Scope;
import dev.ligeiro.gateway.merchant.Merchant;
import dev.ligeiro.gateway.merchant.MerchantLimits;
import dev.ligeiro.gateway.merchant.MerchantStore;
import dev.ligeiro.gateway.problem.Problem;
import dev.ligeiro.gateway.problem.ProblemCode;
import dev.ligeiro.transaction.Commission;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.UuidV7;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Creates and changes merchants for the operator. A change takes effect on this gateway at once, on others within 5 seconds. */
@Component
class AdministerMerchants {

    private final MerchantStore store;
    private final KeyStore keys;
    private final Callers callers;
    private final Clock clock;

    AdministerMerchants(MerchantStore store, KeyStore keys, Callers callers, Clock clock) {
        this.store = store;
        this.keys = keys;
        this.callers = callers;
        this.clock = clock;
    }

    Mono<UUID> create(MerchantRequest request) {
        return store.nextNumber()
                .map(number -> new Merchant(
                        newId(),
                        number,
                        request.name(),
                        request.city(),
                        stored(request.fees()),
                        null,
                        MerchantLimits.NONE,
                        List.of(),
                        now()))
                .flatMap(store::insert)
                .map(Merchant::id);
    }

    Mono<UUID> addPlatform(UUID merchantId, PlatformRequest request) {
        Merchant.Platform platform = new Merchant.Platform(newId(), request.name(), request.mode());
        return changed(store.addPlatform(merchantId, platform)).thenReturn(platform.id());
    }

    /** Adds a new API key. Only its hash is stored, so the key itself is known only from this result. */
    Mono<AddedKey> addKey(UUID merchantId, KeyRequest request) {
        String key = ApiKey.generate(request.mode());
        ApiKey stored = new ApiKey(
                newId(),
                ApiKey.hash(key),
                merchantId,
                null,
                request.mode(),
                request.scopes().stream().map(Scope::code).sorted().toList(),
                request.expiresAt(),
                null,
                null,
                null,
                now());
        return store.merchant(merchantId)
                .switchIfEmpty(Mono.error(AdministerMerchants::notFound))
                .then(keys.insert(stored))
                .thenReturn(new AddedKey(stored.id(), key));
    }

    Mono<Void> removeKey(UUID merchantId, UUID keyId) {
        return changed(keys.revoke(merchantId, keyId, now()));
    }

    Mono<Void> setFees(UUID merchantId, Map<Operation, Commission> fees) {
        return changed(store.setFees(merchantId, stored(fees)));
    }

    /** @param expiresIn null for the installation's default */
    Mono<Void> setExpiry(UUID merchantId, @Nullable Duration expiresIn) {
        return changed(store.setExpiry(merchantId, expiresIn));
    }

    private Mono<Void> changed(Mono<Boolean> change) {
        return change.filter(Boolean::booleanValue)
                .switchIfEmpty(Mono.error(AdministerMerchants::notFound))
                .doOnNext(done -> callers.changed())
                .then();
    }

    private UUID newId() {
        return UuidV7.at(clock.millis());
    }

    private Instant now() {
        return Instant.ofEpochMilli(clock.millis());
    }

    private static Map<Operation, Merchant.StoredFee> stored(Map<Operation, Commission> fees) {
        Map<Operation, Merchant.StoredFee> stored = new EnumMap<>(Operation.class);
        fees.forEach((operation, commission) -> stored.put(operation, Merchant.StoredFee.of(commission)));
        return stored;
    }

    private static Problem notFound() {
        return Problem.of(ProblemCode.NOT_FOUND, "There is no such merchant or key");
    }

    /** A new API key in plain text. */
    record AddedKey(UUID id, String key) {

        @Override
        public String toString() {
            return "AddedKey[id=" + id + "]";
        }
    }
}
