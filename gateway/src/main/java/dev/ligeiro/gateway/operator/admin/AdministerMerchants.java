package dev.ligeiro.gateway.operator.admin;

import dev.ligeiro.gateway.http.auth.Callers;
import dev.ligeiro.gateway.store.merchant.Merchant;
import dev.ligeiro.gateway.store.merchant.MerchantLimits;
import dev.ligeiro.gateway.store.merchant.MerchantStore;
import dev.ligeiro.transaction.Commission;
import dev.ligeiro.transaction.Mode;
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

/** Makes and changes merchants for the operator. A change takes effect on this gateway at once, on others within 5 seconds. */
@Component
class AdministerMerchants {

    private final MerchantStore store;
    private final Callers callers;
    private final Clock clock;

    AdministerMerchants(MerchantStore store, Callers callers, Clock clock) {
        this.store = store;
        this.callers = callers;
        this.clock = clock;
    }

    Mono<Merchant> create(String name, String city, Map<Operation, Commission> fees) {
        return store.nextNumber()
                .map(number -> new Merchant(
                        newId(),
                        number,
                        name,
                        city,
                        stored(fees),
                        null,
                        MerchantLimits.NONE,
                        List.of(),
                        Instant.ofEpochMilli(clock.millis())))
                .flatMap(store::insert);
    }

    Mono<AdminPage<Merchant, UUID>> page(@Nullable UUID after) {
        return store.merchants(after, AdminPage.ITEMS_MAX + 1).map(found -> AdminPage.of(found, Merchant::id));
    }

    Mono<Merchant> merchant(UUID id) {
        return store.merchant(id).switchIfEmpty(Mono.error(AdminIds::notFound));
    }

    /** Changes only the fields that are not null. */
    Mono<Void> change(UUID id, @Nullable String name, @Nullable String city) {
        return changed(store.change(id, name, city));
    }

    Mono<Merchant.Platform> addPlatform(UUID merchantId, String name, Mode mode) {
        Merchant.Platform platform = new Merchant.Platform(newId(), name, mode);
        return changed(store.addPlatform(merchantId, platform)).thenReturn(platform);
    }

    /** The platforms in the order of their creation. */
    Mono<AdminPage<Merchant.Platform, UUID>> platforms(UUID merchantId, @Nullable UUID after) {
        return merchant(merchantId)
                .flatMapIterable(Merchant::platforms)
                .skipUntil(platform -> after == null || platform.id().equals(after))
                .skip(after == null ? 0 : 1)
                .take(AdminPage.ITEMS_MAX + 1)
                .collectList()
                .map(found -> AdminPage.of(found, Merchant.Platform::id));
    }

    Mono<Merchant.Platform> platform(UUID merchantId, UUID platformId) {
        return merchant(merchantId)
                .flatMapIterable(Merchant::platforms)
                .filter(platform -> platform.id().equals(platformId))
                .next()
                .switchIfEmpty(Mono.error(AdminIds::notFound));
    }

    Mono<Void> setFees(UUID merchantId, Map<Operation, Commission> fees) {
        return changed(store.setFees(merchantId, stored(fees)));
    }

    Mono<Void> setLimits(UUID merchantId, MerchantLimits limits) {
        return changed(store.setLimits(merchantId, limits));
    }

    /** @param expiresIn null for the installation's default */
    Mono<Void> setExpiry(UUID merchantId, @Nullable Duration expiresIn) {
        return changed(store.setExpiry(merchantId, expiresIn));
    }

    private Mono<Void> changed(Mono<Boolean> change) {
        return change.filter(Boolean::booleanValue)
                .switchIfEmpty(Mono.error(AdminIds::notFound))
                .doOnNext(done -> callers.changed())
                .then();
    }

    private UUID newId() {
        return UuidV7.at(clock.millis());
    }

    private static Map<Operation, Merchant.StoredFee> stored(Map<Operation, Commission> fees) {
        Map<Operation, Merchant.StoredFee> stored = new EnumMap<>(Operation.class);
        fees.forEach((operation, commission) -> stored.put(operation, Merchant.StoredFee.of(commission)));
        return stored;
    }
}
