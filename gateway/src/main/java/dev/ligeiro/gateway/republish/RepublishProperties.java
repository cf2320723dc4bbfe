package dev.ligeiro.gateway.republish;

import jakarta.validation.constraints.NotEmpty;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * When the sweeper publishes what no processor has accepted.
 *
 * @param ages at each of these ages a transaction that is still unaccepted is published again, so that a processor that is
 *     away for long finds a few copies of a command and not thousands
 * @param every time between two passes, ±20 %
 */
@ConfigurationProperties("ligeiro.republish")
@Validated
record RepublishProperties(
        @DefaultValue({"30s", "2m", "10m", "1h", "6h", "24h", "72h"}) @NotEmpty List<Duration> ages,
        @DefaultValue("5s") Duration every) {

    RepublishProperties {
        for (Duration age : ages) {
            if (age.compareTo(Duration.ofSeconds(1)) < 0) {
                throw new IllegalArgumentException("ligeiro.republish.ages: " + age + " (expected: at least 1s)");
            }
        }
        if (every.isNegative() || every.isZero()) {
            throw new IllegalArgumentException("ligeiro.republish.every: " + every + " (expected: above 0)");
        }
    }
}
