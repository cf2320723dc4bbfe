package dev.ligeiro.desk.money;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The settings {@code ligeiro.resolutions.*}. {@code application.yml} explains them.
 *
 * @param operators how many operators a decision needs
 * @param unknownFor how long an outcome must have been unknown
 */
@ConfigurationProperties("ligeiro.resolutions")
@Validated
record ResolutionProperties(
        @DefaultValue("2") @Min(1) @Max(2) int operators, @DefaultValue("24h") @DurationMin Duration unknownFor) {}
