package dev.ligeiro.gateway.republish;

import jakarta.validation.constraints.NotEmpty;
import java.time.Duration;
import java.util.List;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The settings of the sweeper.
 *
 * @param ages the ages at which an unaccepted transaction is republished; few, so that a processor that was away for a day finds a few
 *     copies of a command instead of thousands
 * @param every the interval between two passes, ±20 %
 */
@ConfigurationProperties("ligeiro.republish")
@Validated
record RepublishProperties(
        @DefaultValue({"30s", "2m", "10m", "1h", "6h", "24h", "72h"})
                @NotEmpty(message = "ligeiro.republish.ages: empty (expected: at least one duration)")
                List<
                                @DurationMin(
                                        seconds = 1,
                                        message = "ligeiro.republish.ages: ${validatedValue} (expected: at least 1s)")
                                Duration>
                        ages,
        @DefaultValue("5s")
                @DurationMin(
                        millis = 0,
                        inclusive = false,
                        message = "ligeiro.republish.every: ${validatedValue} (expected: above 0)")
                Duration every) {}
