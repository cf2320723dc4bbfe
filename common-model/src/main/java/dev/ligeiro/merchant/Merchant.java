package dev.ligeiro.merchant;

import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Commission;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.PayerRules;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A company that posts transactions.
 *
 * @param number unique; part of the tenant key
 * @param city the city in its BR Codes
 * @param commissionReturns {@code true} if a refund returns the commission in proportion; null if the commission stays
 * @param payerRules what it wants of the payers of its cashins; null for nothing
 * @param expiresInSeconds how long its transactions stay pending; null for the installation's default
 * @param retentionDays how long its transactions keep personal data; null for the installation's setting
 */
public record Merchant(
        UUID id,
        long number,
        String name,
        String city,
        Map<Operation, StoredFee> fees,
        @Nullable Boolean commissionReturns,
        @Nullable PayerRules payerRules,
        @Nullable Long expiresInSeconds,
        @Nullable Integer retentionDays,
        MerchantLimits limits,
        List<Platform> platforms,
        Instant createdAt) {

    /** A sales channel of a merchant in one mode. */
    public record Platform(UUID id, String name, Mode mode) {}

    /** A commission as it is stored. */
    public record StoredFee(long millionths, long fixedCents) {

        public static StoredFee of(Commission commission) {
            return new StoredFee(commission.millionths(), commission.fixed().cents());
        }

        public Commission commission() {
            return new Commission(millionths, new Amount(fixedCents));
        }
    }
}
