package dev.ligeiro.gateway.limit;

import java.time.Duration;
import org.hibernate.validator.constraints.Range;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
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
        @DefaultValue("10s")
                @DurationMin(seconds = 1, message = RateLimitProperties.BURST)
                @DurationMax(seconds = 60, message = RateLimitProperties.BURST)
                Duration burst,
        @DefaultValue("500")
                @Range(
                        min = 1,
                        max = 1_000_000,
                        message = "ligeiro.rate-limits.key-reads-per-second: " + RateLimitProperties.RATE)
                int keyReadsPerSecond,
        @DefaultValue("1000")
                @Range(
                        min = 1,
                        max = 1_000_000,
                        message = "ligeiro.rate-limits.key-writes-per-second: " + RateLimitProperties.RATE)
                int keyWritesPerSecond,
        @DefaultValue("1000")
                @Range(
                        min = 1,
                        max = 1_000_000,
                        message = "ligeiro.rate-limits.merchant-reads-per-second: " + RateLimitProperties.RATE)
                int merchantReadsPerSecond,
        @DefaultValue("2000")
                @Range(
                        min = 1,
                        max = 1_000_000,
                        message = "ligeiro.rate-limits.merchant-writes-per-second: " + RateLimitProperties.RATE)
                int merchantWritesPerSecond) {

    RateLimitProperties {
        if (burst.toNanosPart() != 0) {
            throw new IllegalArgumentException(
                    "ligeiro.rate-limits.burst: " + burst + " (expected: whole seconds, 1s to 60s)");
        }
    }

    static final String RATE = "${validatedValue} (expected: 1 to 1000000)";
    static final String BURST = "ligeiro.rate-limits.burst: ${validatedValue} (expected: 1s to 60s)";
}
