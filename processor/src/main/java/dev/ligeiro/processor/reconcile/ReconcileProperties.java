package dev.ligeiro.processor.reconcile;

import java.time.Duration;
import java.time.ZoneId;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * When the rails' lists are read. {@code application.yml} explains each key.
 *
 * @param hourAfter after the end of an hour
 * @param dayAfter after the end of a day, for the second time
 */
@Validated
@ConfigurationProperties("ligeiro.reconcile")
record ReconcileProperties(
        @DefaultValue("1h") @DurationMin(minutes = 1) @DurationMax(hours = 24) Duration hourAfter,
        @DefaultValue("6h") @DurationMin(minutes = 1) @DurationMax(hours = 72) Duration dayAfter,
        @DefaultValue("America/Sao_Paulo") ZoneId timeZone) {}
