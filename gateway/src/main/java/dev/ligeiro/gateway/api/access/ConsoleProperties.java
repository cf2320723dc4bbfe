package dev.ligeiro.gateway.api.access;

import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The settings {@code ligeiro.console.*}. {@code application.yml} explains them.
 *
 * @param sessionMax how long a session lasts at most
 * @param idleMax how long a session lasts without a request by a person
 */
@ConfigurationProperties("ligeiro.console")
@Validated
record ConsoleProperties(
        @DefaultValue("8h") @DurationMin(minutes = 5) @DurationMax(hours = 24) Duration sessionMax,
        @DefaultValue("30m") @DurationMin(minutes = 5) @DurationMax(hours = 24) Duration idleMax) {}
