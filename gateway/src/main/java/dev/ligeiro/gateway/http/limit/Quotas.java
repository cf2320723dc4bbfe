package dev.ligeiro.gateway.http.limit;

import dev.ligeiro.gateway.store.merchant.MerchantLimits;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;

/**
 * The quotas of one request: that of its key and that of its merchant. If the merchant has a limit of its own, its keys have none: one key
 * can use up the whole limit.
 *
 * @param ofKey null for none
 * @param policies the value of {@code RateLimit-Policy}
 */
record Quotas(@Nullable Quota ofKey, Quota ofMerchant, String policies) {

    static Quotas of(Quota ofKey, Quota ofMerchant) {
        return new Quotas(ofKey, ofMerchant, ofKey.item() + ", " + ofMerchant.item());
    }

    /** The quotas of requests that read or of requests that write. */
    Quotas forMerchant(@Nullable Integer ownPerSecond) {
        if (ownPerSecond == null) {
            return this;
        }
        Quota own = new Quota(ofMerchant.policy(), ownPerSecond, ofMerchant.window());
        return new Quotas(null, own, own.item());
    }

    /** The quotas of an installation. */
    record Defaults(Quotas reads, Quotas writes) {

        static Defaults of(RateLimitProperties properties) {
            Duration window = properties.burst();
            return new Defaults(
                    Quotas.of(
                            new Quota("key-reads", properties.keyReadsPerSecond(), window),
                            new Quota("merchant-reads", properties.merchantReadsPerSecond(), window)),
                    Quotas.of(
                            new Quota("key-writes", properties.keyWritesPerSecond(), window),
                            new Quota("merchant-writes", properties.merchantWritesPerSecond(), window)));
        }

        Quotas of(HttpMethod method, MerchantLimits limits) {
            return method.equals(HttpMethod.GET)
                    ? reads.forMerchant(limits.readsPerSecond())
                    : writes.forMerchant(limits.writesPerSecond());
        }
    }
}
