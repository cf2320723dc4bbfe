package dev.ligeiro.gateway.http.limit;

import dev.ligeiro.support.Bounds;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * How many requests a second one gateway takes. {@code application.yml} explains each key.
 *
 * @param enabled false: no request is counted
 * @param burst who has sent nothing for this time may send as many requests at once as in this time
 * @param keyReadsPerSecond of one API key
 * @param keyWritesPerSecond of one API key
 * @param merchantReadsPerSecond of all keys of one merchant in one mode
 * @param merchantWritesPerSecond of all keys of one merchant in one mode
 */
@ConfigurationProperties("ligeiro.rate-limits")
@Validated
record RateLimitProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("10s") @Bounds(key = "ligeiro.rate-limits.burst", min = "1s", max = "60s") Duration burst,
        @DefaultValue("500") @Bounds(key = "ligeiro.rate-limits.key-reads-per-second", min = "1", max = "1000000")
                int keyReadsPerSecond,
        @DefaultValue("1000") @Bounds(key = "ligeiro.rate-limits.key-writes-per-second", min = "1", max = "1000000")
                int keyWritesPerSecond,
        @DefaultValue("1000") @Bounds(key = "ligeiro.rate-limits.merchant-reads-per-second", min = "1", max = "1000000")
                int merchantReadsPerSecond,
        @DefaultValue("2000")
                @Bounds(key = "ligeiro.rate-limits.merchant-writes-per-second", min = "1", max = "1000000")
                int merchantWritesPerSecond) {

    RateLimitProperties {
        if (burst.toNanosPart() != 0) {
            throw new IllegalArgumentException(
                    "ligeiro.rate-limits.burst: " + burst + " (expected: whole seconds, 1s to 60s)");
        }
    }
}
