package dev.ligeiro.gateway.operator.admin;

import dev.ligeiro.gateway.store.merchant.MerchantStore;
import dev.ligeiro.merchant.Merchant;
import dev.ligeiro.transaction.Tenant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Names the merchants of the items of a page, by one query. */
@Component
public class MerchantNames {

    private final MerchantStore merchants;

    MerchantNames(MerchantStore merchants) {
        this.merchants = merchants;
    }

    public Mono<NamedMerchant> of(Tenant tenant) {
        return merchants
                .byNumber(Set.of(tenant.merchantNumber()))
                .map(found -> NamedMerchant.of(found.get(tenant.merchantNumber()), tenant));
    }

    /** @param tenant gives null for an item of no merchant */
    public <T, R, C> Mono<AdminPage<R, C>> ofTenants(
            AdminPage<T, C> page, Function<T, @Nullable Tenant> tenant, BiFunction<T, NamedMerchant, R> named) {
        Set<Long> numbers = page.items().stream()
                .flatMap(item -> Stream.ofNullable(tenant.apply(item)))
                .map(Tenant::merchantNumber)
                .collect(Collectors.toSet());
        return merchants
                .byNumber(numbers)
                .map(found -> page.map(item -> {
                    Tenant of = tenant.apply(item);
                    return named.apply(
                            item,
                            of == null ? NamedMerchant.NONE : NamedMerchant.of(found.get(of.merchantNumber()), of));
                }));
    }

    /** @param id gives null for an item of no merchant */
    <T, R, C> Mono<AdminPage<R, C>> ofIds(
            AdminPage<T, C> page, Function<T, @Nullable UUID> id, BiFunction<T, NamedMerchant, R> named) {
        List<UUID> ids = page.items().stream()
                .flatMap(item -> Stream.ofNullable(id.apply(item)))
                .distinct()
                .toList();
        return merchants.all(ids).map(found -> page.map(item -> named.apply(item, named(id.apply(item), found))));
    }

    private static NamedMerchant named(@Nullable UUID id, Map<UUID, Merchant> found) {
        if (id == null) {
            return NamedMerchant.NONE;
        }
        Merchant merchant = found.get(id);
        return merchant == null ? new NamedMerchant(id, null, null) : NamedMerchant.of(merchant);
    }
}
