package dev.ligeiro.gateway.http.auth;

import jakarta.validation.constraints.Pattern;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The settings {@code ligeiro.console.*}. {@code application.yml} explains them.
 *
 * @param url where merchants open the console; null if an ingress has it at the gateway's address
 * @param sessionMax how long a session lasts at most
 * @param idleMax how long a session lasts without a request by a person
 */
@ConfigurationProperties("ligeiro.console")
@Validated
public record ConsoleProperties(
        @Pattern(
                        regexp = "https?://[^?#@\\s]*[^/?#@\\s]",
                        message =
                                "must be http or https without a slash at its end, such as https://console.example.com")
                @Nullable
                String url,
        @DefaultValue("8h") @DurationMin(minutes = 5) @DurationMax(hours = 24) Duration sessionMax,
        @DefaultValue("30m") @DurationMin(minutes = 5) @DurationMax(hours = 24) Duration idleMax) {}
