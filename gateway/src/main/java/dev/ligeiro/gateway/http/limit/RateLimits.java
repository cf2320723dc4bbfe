package dev.ligeiro.gateway.http.limit;

import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
import dev.ligeiro.gateway.store.merchant.MerchantLimits;
import dev.ligeiro.transaction.Tenant;
import io.github.bucket4j.ConsumptionProbe;
import java.time.Clock;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;

/**
 * Limits the rate of requests, of each API key and of each merchant in a mode; reads and writes are counted separately. Each gateway
 * counts for itself. A counted request's response says what is left ({@code RateLimit} and {@code RateLimit-Policy},
 * draft-ietf-httpapi-ratelimit-headers-11).
 */
@Component
public class RateLimits {

    private static final String POLICY = "RateLimit-Policy";
    private static final String LEFT = "RateLimit";

    private final boolean enabled;
    private final Quotas.Defaults defaults;
    private final Buckets buckets;

    RateLimits(RateLimitProperties properties, Clock clock) {
        this.enabled = properties.enabled();
        this.defaults = Quotas.Defaults.of(properties);
        this.buckets = new Buckets(clock, properties.burst());
    }

    /**
     * Counts a request of an authenticated caller and sets the response's headers.
     *
     * @throws Problem 429 when nothing is left. A request that its key's quota refuses takes nothing from the merchant's
     */
    public void count(ServerRequest request, UUID keyId, Tenant tenant, MerchantLimits limits) {
        if (enabled) {
            Quotas quotas = defaults.of(request.method(), limits);
            HttpHeaders headers = request.exchange().getResponse().getHeaders();
            headers.set(POLICY, quotas.policies());
            String ofKey = quotas.ofKey() == null ? null : take(keyId, quotas.ofKey(), null, headers);
            take(tenant, quotas.ofMerchant(), ofKey, headers);
        }
    }

    /** @param before the item of the quota that was counted before, if any */
    private String take(Object owner, Quota quota, @Nullable String before, HttpHeaders headers) {
        ConsumptionProbe probe = buckets.take(owner, quota);
        String item = '"' + quota.policy() + "\";r=" + probe.getRemainingTokens() + ";t="
                + seconds(probe.getNanosToWaitForReset());
        String all = before == null ? item : before + ", " + item;
        headers.set(LEFT, all);
        if (!probe.isConsumed()) {
            throw refusal(quota, probe);
        }
        return all;
    }

    private static Problem refusal(Quota quota, ConsumptionProbe probe) {
        return Problem.of(
                        ProblemCode.RATE_LIMITED,
                        "At most " + quota.perSecond() + " such requests a second, and " + quota.requests()
                                + " at once")
                .retryAfter(Duration.ofSeconds(seconds(probe.getNanosToWaitForRefill())));
    }

    /** Rounded up: a client that waits so long is not too early. */
    private static long seconds(long nanos) {
        return (nanos + TimeUnit.SECONDS.toNanos(1) - 1) / TimeUnit.SECONDS.toNanos(1);
    }
}
