package dev.ligeiro.desk.merchant;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ligeiro.merchant.MerchantLimits;
import dev.ligeiro.merchant.MerchantLimits.AmountRange;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Operation;
import jakarta.validation.Valid;
import jakarta.validation.constraints.AssertTrue;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a merchant: {@code {"cashin":{"amount_min":"1.00","amount_max":"500.00"},"cashout":…,"reads_per_second":100,
 * "writes_per_second":50}}, each part optional: without it, the merchant has no such limit of its own.
 */
public record Limits(
        @Valid @Nullable Amounts cashin,
        @Valid @Nullable Amounts cashout,
        @Min(1) @Max(PER_SECOND_MAX) @Nullable Integer readsPerSecond,
        @Min(1) @Max(PER_SECOND_MAX) @Nullable Integer writesPerSecond) {

    private static final int PER_SECOND_MAX = 1_000_000;

    static Limits of(MerchantLimits limits) {
        return new Limits(
                Amounts.of(limits.amounts(Operation.CASHIN)),
                Amounts.of(limits.amounts(Operation.CASHOUT)),
                limits.readsPerSecond(),
                limits.writesPerSecond());
    }

    MerchantLimits stored() {
        Map<Operation, AmountRange> amounts = new EnumMap<>(Operation.class);
        if (cashin != null) {
            amounts.put(Operation.CASHIN, cashin.range());
        }
        if (cashout != null) {
            amounts.put(Operation.CASHOUT, cashout.range());
        }
        return new MerchantLimits(amounts, readsPerSecond, writesPerSecond);
    }

    @JsonInclude(JsonInclude.Include.ALWAYS)
    public record Amounts(@Nullable Amount amountMin, @Nullable Amount amountMax) {

        static Amounts of(AmountRange range) {
            return new Amounts(amount(range.minCents()), amount(range.maxCents()));
        }

        private static @Nullable Amount amount(@Nullable Long cents) {
            return cents == null ? null : new Amount(cents);
        }

        AmountRange range() {
            return new AmountRange(
                    amountMin == null ? null : amountMin.cents(), amountMax == null ? null : amountMax.cents());
        }

        @AssertTrue(message = "expected at most amount_max")
        private boolean isAmountMin() {
            return amountMin == null || amountMax == null || amountMin.cents() <= amountMax.cents();
        }

        @AssertTrue(message = "expected an amount above 0")
        private boolean isAmountMax() {
            return amountMax == null || amountMax.cents() > 0;
        }
    }
}
