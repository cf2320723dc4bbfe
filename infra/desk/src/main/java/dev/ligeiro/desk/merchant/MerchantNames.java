package dev.ligeiro.desk.merchant;

import dev.ligeiro.merchant.Merchant;
import dev.ligeiro.transaction.Tenant;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Names the merchants of the items of a list, by one query for all of them. */
@Component
public class MerchantNames {

    private final MerchantStore merchants;

    MerchantNames(MerchantStore merchants) {
        this.merchants = merchants;
    }

    public NamedMerchant of(Tenant tenant) {
        return ofTenants(Set.of(tenant), Function.identity()).apply(tenant);
    }

    public NamedMerchant of(UUID merchantId) {
        return ofIds(Set.of(merchantId), Function.identity()).apply(merchantId);
    }

    /** The names by tenant; {@link NamedMerchant#NONE} for null, that of an item of no merchant. */
    public <T> Function<@Nullable Tenant, NamedMerchant> ofTenants(
            Collection<T> items, Function<? super T, ? extends @Nullable Tenant> tenant) {
        Map<Long, Merchant> found = merchants.byNumber(items.stream()
                .map(tenant)
                .filter(Objects::nonNull)
                .map(Tenant::merchantNumber)
                .collect(Collectors.toSet()));
        return of -> of == null ? NamedMerchant.NONE : NamedMerchant.of(found.get(of.merchantNumber()), of);
    }

    /** The names by the merchants' ids; {@link NamedMerchant#NONE} for null, that of an item of no merchant. */
    public <T> Function<@Nullable UUID, NamedMerchant> ofIds(
            Collection<T> items, Function<? super T, ? extends @Nullable UUID> merchantId) {
        Map<UUID, Merchant> found = merchants.byId(
                items.stream().map(merchantId).filter(Objects::nonNull).collect(Collectors.toSet()));
        return id -> id == null ? NamedMerchant.NONE : NamedMerchant.of(found.get(id), id);
    }
}
