package dev.ligeiro.gateway.http.limit;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

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
