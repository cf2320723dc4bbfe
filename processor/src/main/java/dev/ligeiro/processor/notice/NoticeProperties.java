package dev.ligeiro.processor.notice;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The port for the notices of banks. {@code application.yml} explains each key.
 *
 * @param port 0 for a free one
 * @param sslBundle the name of the Spring SSL bundle with the server's certificate and the CAs of the banks; null: the port is closed
 */
@Validated
@ConfigurationProperties("ligeiro.notices")
record NoticeProperties(
        @DefaultValue("8084") @Min(0) @Max(65_535) int port,
        @Nullable String sslBundle,
        @DefaultValue("5m") @DurationMin(millis = 100) @DurationMax(hours = 1) Duration catchUpEvery,
        @DefaultValue("30m") @DurationMin(minutes = 1) @DurationMax(hours = 72) Duration catchUpOf) {}
