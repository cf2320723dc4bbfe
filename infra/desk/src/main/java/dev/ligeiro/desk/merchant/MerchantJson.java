package dev.ligeiro.desk.merchant;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ligeiro.desk.http.Bodies;
import dev.ligeiro.desk.http.Bodies.GivenText;
import dev.ligeiro.merchant.Merchant;
import dev.ligeiro.merchant.Merchant.StoredFee;
import dev.ligeiro.merchant.MerchantLimits;
import dev.ligeiro.merchant.MerchantLimits.AmountRange;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.PayerRules;
import jakarta.validation.Valid;
import jakarta.validation.constraints.AssertTrue;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.annotation.JsonDeserialize;

/** A merchant as the operators' API shows it. Fees and limits have the form of the requests that set them. */
public record MerchantJson(
        UUID id,
        long number,
        String name,
        String city,
        Fees fees,
        boolean commissionReturns,
        boolean payerMustMatch,
        boolean refundPayerMismatch,
        boolean payerVisible,
        Limits limits,
        @Nullable Long expiresIn,
        @Nullable Integer retentionDays,
        Instant createdAt) {

    private static final int PER_SECOND_MAX = 1_000_000;
    private static final String PERCENT = "expected 0 to 100 with up to 4 decimals, as a string";
    /** The decimals of a percentage that is a whole number of millionths. */
    private static final int PERCENT_TO_MILLIONTHS = 4;

    public static MerchantJson of(Merchant merchant) {
        PayerRules payers = merchant.payerRules() == null ? PayerRules.NONE : merchant.payerRules();
        return new MerchantJson(
                merchant.id(),
                merchant.number(),
                merchant.name(),
                merchant.city(),
                new Fees(
                        Fee.of(merchant.fees().get(Operation.CASHIN)),
                        Fee.of(merchant.fees().get(Operation.CASHOUT))),
                Boolean.TRUE.equals(merchant.commissionReturns()),
                payers.mustMatch(),
                payers.refundsMismatch(),
                payers.visible(),
                new Limits(
                        Amounts.of(merchant.limits().amounts(Operation.CASHIN)),
                        Amounts.of(merchant.limits().amounts(Operation.CASHOUT)),
                        merchant.limits().readsPerSecond(),
                        merchant.limits().writesPerSecond()),
                merchant.expiresInSeconds(),
                merchant.retentionDays(),
                merchant.createdAt());
    }

    /** The commissions, each part optional: {@code {"cashin":{"percent":"1.25","fixed":"0.10"},"cashout":…}}. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Fees(@Valid @Nullable Fee cashin, @Valid @Nullable Fee cashout) {

        Map<Operation, StoredFee> stored() {
            return byOperation(cashin, cashout, Fee::stored);
        }
    }

    public record Fee(
            @Pattern(regexp = "[0-9]{1,10}(\\.[0-9]{1,4})?", message = PERCENT)
                    @DecimalMax(value = "100", message = PERCENT)
                    @JsonDeserialize(using = GivenText.class)
                    @Nullable
                    String percent,
            @Nullable Amount fixed) {

        private static @Nullable Fee of(@Nullable StoredFee fee) {
            return fee == null
                    ? null
                    : new Fee(
                            BigDecimal.valueOf(fee.millionths(), PERCENT_TO_MILLIONTHS)
                                    .toPlainString(),
                            new Amount(fee.fixedCents()));
        }

        private StoredFee stored() {
            BigDecimal part = percent == null ? BigDecimal.ZERO : Bodies.decimal(percent);
            return new StoredFee(
                    part.movePointRight(PERCENT_TO_MILLIONTHS).longValueExact(), fixed == null ? 0 : fixed.cents());
        }
    }

    /**
     * {@code {"cashin":{"amount_min":"1.00","amount_max":"500.00"},"cashout":…,"reads_per_second":100,"writes_per_second":50}}, each part
     * optional: without it, the merchant has no such limit of its own.
     */
    public record Limits(
            @Valid @Nullable Amounts cashin,
            @Valid @Nullable Amounts cashout,
            @Min(1) @Max(PER_SECOND_MAX) @Nullable Integer readsPerSecond,
            @Min(1) @Max(PER_SECOND_MAX) @Nullable Integer writesPerSecond) {

        MerchantLimits stored() {
            return new MerchantLimits(byOperation(cashin, cashout, Amounts::stored), readsPerSecond, writesPerSecond);
        }
    }

    public record Amounts(@Nullable Amount amountMin, @MoreThanZero @Nullable Amount amountMax) {

        private static Amounts of(AmountRange range) {
            return new Amounts(amount(range.minCents()), amount(range.maxCents()));
        }

        private static @Nullable Amount amount(@Nullable Long cents) {
            return cents == null ? null : new Amount(cents);
        }

        private AmountRange stored() {
            return new AmountRange(
                    amountMin == null ? null : amountMin.cents(), amountMax == null ? null : amountMax.cents());
        }

        @AssertTrue(message = "expected at most amount_max")
        private boolean isAmountMin() {
            return amountMin == null || amountMax == null || amountMin.cents() <= amountMax.cents();
        }
    }

    private static <T, S> Map<Operation, S> byOperation(
            @Nullable T cashin, @Nullable T cashout, Function<T, S> stored) {
        Map<Operation, S> all = new EnumMap<>(Operation.class);
        if (cashin != null) {
            all.put(Operation.CASHIN, stored.apply(cashin));
        }
        if (cashout != null) {
            all.put(Operation.CASHOUT, stored.apply(cashout));
        }
        return all;
    }
}
