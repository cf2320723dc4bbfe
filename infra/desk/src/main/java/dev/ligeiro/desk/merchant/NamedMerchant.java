package dev.ligeiro.desk.merchant;

import dev.ligeiro.merchant.Merchant;
import dev.ligeiro.transaction.Tenant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The merchant that an item of a list is about, by the same three members in each list ({@code @JsonUnwrapped}). All are null for an item of
 * no merchant; only one is known of a merchant that is not stored.
 */
public record NamedMerchant(@Nullable UUID merchantId, @Nullable Long merchantNumber, @Nullable String merchantName) {

    public static final NamedMerchant NONE = new NamedMerchant(null, null, null);

    public static NamedMerchant of(Merchant merchant) {
        return new NamedMerchant(merchant.id(), merchant.number(), merchant.name());
    }

    static NamedMerchant of(@Nullable Merchant merchant, UUID id) {
        return merchant == null ? new NamedMerchant(id, null, null) : of(merchant);
    }

    static NamedMerchant of(@Nullable Merchant merchant, Tenant tenant) {
        return merchant == null ? new NamedMerchant(null, tenant.merchantNumber(), null) : of(merchant);
    }
}
