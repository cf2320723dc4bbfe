package dev.ligeiro.desk.merchant;

import dev.ligeiro.merchant.MerchantLimits;
import dev.ligeiro.transaction.Amount;
import java.math.BigDecimal;
import java.time.ZoneId;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * What holds for merchants without settings of their own: settings that gateways have too, with the same values. {@code application.yml}
 * explains them.
 */
@ConfigurationProperties("ligeiro")
record InstallationDefaults(BigDecimal amountMax, ZoneId timeZone, RateLimits rateLimits, Cashouts cashouts) {

    record RateLimits(int merchantReadsPerSecond, int merchantWritesPerSecond) {}

    record Cashouts(boolean beginStopped) {}

    /** Whether a merchant with {@code limits} may do no more than one with {@code before}. */
    boolean isNarrower(MerchantLimits limits, MerchantLimits before) {
        MerchantLimits own =
                new MerchantLimits(Map.of(), rateLimits.merchantReadsPerSecond, rateLimits.merchantWritesPerSecond);
        return limits.amountsAreWithin(before, Amount.of(amountMax)) && limits.ratesAreWithin(before, own);
    }
}
