package dev.ligeiro.desk.merchant;

import dev.ligeiro.merchant.Merchant;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A merchant as the operators' API shows it. Fees and limits have the form of the requests that set them. */
public record MerchantJson(
        UUID id,
        long number,
        String name,
        String city,
        Fees fees,
        boolean commissionReturns,
        Limits limits,
        @Nullable Long expiresIn,
        Instant createdAt) {

    public static MerchantJson of(Merchant merchant) {
        return new MerchantJson(
                merchant.id(),
                merchant.number(),
                merchant.name(),
                merchant.city(),
                Fees.of(merchant.fees()),
                Boolean.TRUE.equals(merchant.commissionReturns()),
                Limits.of(merchant.limits()),
                merchant.expiresInSeconds(),
                merchant.createdAt());
    }
}
