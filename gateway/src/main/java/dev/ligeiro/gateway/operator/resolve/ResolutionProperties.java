package dev.ligeiro.gateway.operator.resolve;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings {@code ligeiro.resolutions.*}. {@code application.yml} explains them.
 *
 * @param operators how many operators a decision needs
 * @param unknownFor how long an outcome must have been unknown
 */
@ConfigurationProperties("ligeiro.resolutions")
record ResolutionProperties(@DefaultValue("2") int operators, @DefaultValue("24h") Duration unknownFor) {

    ResolutionProperties {
        if (operators < 1 || operators > 2) {
            throw new IllegalArgumentException("ligeiro.resolutions.operators: " + operators + " (expected: 1 or 2)");
        }
        if (unknownFor.isNegative()) {
            throw new IllegalArgumentException(
                    "ligeiro.resolutions.unknown-for: " + unknownFor + " (expected: not below 0)");
        }
    }
}
