package dev.ligeiro.gateway.http.limit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.ligeiro.gateway.GatewayMemoryBudget;
import dev.ligeiro.gateway.http.PassedTime;
import dev.ligeiro.merchant.MerchantLimits;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import dev.ligeiro.transaction.Tenant;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.TimeMeter;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Clock;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.stereotype.Component;
import org.springframework.validation.annotation.Validated;
import org.springframework.web.reactive.function.server.ServerRequest;

/**
 * Limits the rate of requests, of each API key and of each merchant in a mode; reads and writes are counted separately. If a merchant has a
 * limit of its own, its keys have none: one key can use up the whole limit. Each gateway counts for itself. A counted request's response
 * says what is left ({@code RateLimit} and {@code RateLimit-Policy}, draft-ietf-httpapi-ratelimit-headers-11).
 */
@Component
public class RateLimits {

    /** After 10 idle seconds, the requests of 10 seconds may be sent at once. */
    private static final Duration WINDOW = Duration.ofSeconds(10);

    private static final String POLICY = "RateLimit-Policy";
    private static final String LEFT = "RateLimit";

    private final boolean enabled;
    private final Quota keyReads;
    private final Quota keyWrites;
    private final Quota merchantReads;
    private final Quota merchantWrites;
    private final TimeMeter time;
    /** A bucket that is not used for the whole window is full again and can be forgotten. */
    private final Cache<BucketId, Bucket> buckets;

    /**
     * A number of requests in {@link #WINDOW}, refilled evenly.
     *
     * @param policy its name in the headers and in problems
     */
    private record Quota(String policy, int perSecond) {

        Quota withRate(int otherPerSecond) {
            return new Quota(policy, otherPerSecond);
        }

        /** As many requests at once when none came for the window. */
        long requests() {
            return perSecond * WINDOW.toSeconds();
        }

        /** An item of {@code RateLimit-Policy}. */
        String item() {
            return '"' + policy + "\";q=" + requests() + ";w=" + WINDOW.toSeconds();
        }
    }

    /** With the quota, so that one that changes begins with a full bucket. */
    private record BucketId(Object owner, Quota quota) {}

    RateLimits(RateLimitProperties properties, Clock clock) {
        this.enabled = properties.enabled();
        this.keyReads = new Quota("key-reads", properties.keyReadsPerSecond());
        this.keyWrites = new Quota("key-writes", properties.keyWritesPerSecond());
        this.merchantReads = new Quota("merchant-reads", properties.merchantReadsPerSecond());
        this.merchantWrites = new Quota("merchant-writes", properties.merchantWritesPerSecond());
        this.time = new Meter(new PassedTime(clock));
        this.buckets = Caffeine.newBuilder()
                .expireAfterAccess(WINDOW)
                .maximumSize(
                        GatewayMemoryBudget.rateLimitsMax(Runtime.getRuntime().maxMemory()))
                .build();
    }

    /**
     * Counts a request of an authenticated caller and sets the response's headers.
     *
     * @throws Problem 429 when nothing is left. A request that its key's quota refuses takes nothing from the merchant's
     */
    public void count(ServerRequest request, UUID keyId, Tenant tenant, MerchantLimits limits) {
        if (!enabled) {
            return;
        }
        HttpHeaders headers = request.exchange().getResponse().getHeaders();
        boolean isRead = request.method().equals(HttpMethod.GET);
        Quota ofMerchant = isRead ? merchantReads : merchantWrites;
        @Nullable Integer own = isRead ? limits.readsPerSecond() : limits.writesPerSecond();
        if (own == null) {
            Quota ofKey = isRead ? keyReads : keyWrites;
            headers.set(POLICY, ofKey.item() + ", " + ofMerchant.item());
            String leftOfKey = take(keyId, ofKey, null, headers);
            take(tenant, ofMerchant, leftOfKey, headers);
        } else {
            Quota ofItsOwn = ofMerchant.withRate(own);
            headers.set(POLICY, ofItsOwn.item());
            take(tenant, ofItsOwn, null, headers);
        }
    }

    /** @param before the item of the quota that was counted before, if any */
    private String take(Object owner, Quota quota, @Nullable String before, HttpHeaders headers) {
        ConsumptionProbe probe =
                buckets.get(new BucketId(owner, quota), this::newBucket).tryConsumeAndReturnRemaining(1);
        String item = '"' + quota.policy() + "\";r=" + probe.getRemainingTokens() + ";t="
                + seconds(probe.getNanosToWaitForReset());
        String all = before == null ? item : before + ", " + item;
        headers.set(LEFT, all);
        if (!probe.isConsumed()) {
            throw refusal(quota, probe);
        }
        return all;
    }

    private Bucket newBucket(BucketId id) {
        return Bucket.builder()
                .addLimit(limit -> limit.capacity(id.quota.requests()).refillGreedy(id.quota.requests(), WINDOW))
                .withCustomTimePrecision(time)
                .build();
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

    private record Meter(PassedTime time) implements TimeMeter {

        @Override
        public long currentTimeNanos() {
            return time.sinceStart().toNanos();
        }

        @Override
        public boolean isWallClockBased() {
            return false;
        }
    }

    /**
     * How many requests a second one gateway takes. {@code application.yml} explains each key.
     *
     * @param enabled false: no request is counted
     * @param keyReadsPerSecond of one API key
     * @param keyWritesPerSecond of one API key
     * @param merchantReadsPerSecond of all keys of one merchant in one mode
     * @param merchantWritesPerSecond of all keys of one merchant in one mode
     */
    @ConfigurationProperties("ligeiro.rate-limits")
    @Validated
    record RateLimitProperties(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("500") @Min(1) @Max(1_000_000) int keyReadsPerSecond,
            @DefaultValue("1000") @Min(1) @Max(1_000_000) int keyWritesPerSecond,
            @DefaultValue("1000") @Min(1) @Max(1_000_000) int merchantReadsPerSecond,
            @DefaultValue("2000") @Min(1) @Max(1_000_000) int merchantWritesPerSecond) {}
}
