package dev.ligeiro.processor.rail.bank;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Pattern;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The bank accounts that serve live transactions, by the names of their rails. {@code application.yml} explains each key. {@code
 * ligeiro.rails.routes}, the gateway's routing table, names no rail.
 */
@Validated
@ConfigurationProperties("ligeiro")
public record LiveRailProperties(
        @DefaultValue
                Map<@Pattern(regexp = "(?!simulator$)[a-z0-9-]{1,20}", message = RULE) String, @Valid BankProperties>
                        rails) {

    private static final String RULE =
            "is the name of a rail (expected: up to 20 lower-case letters, digits and hyphens, but not simulator)";
}
