package dev.ligeiro.gateway.list.export;

import org.hibernate.validator.constraints.Range;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * How many exports one gateway sends at once. {@code application.yml} explains each key.
 *
 * @param max in all
 * @param perTenant of one merchant in one mode
 */
@ConfigurationProperties("ligeiro.exports")
@Validated
record ExportProperties(
        @DefaultValue("16") @Range(min = 1, max = 1_000, message = "ligeiro.exports.max: " + ExportProperties.COUNT)
                int max,
        @DefaultValue("2")
                @Range(min = 1, max = 1_000, message = "ligeiro.exports.per-tenant: " + ExportProperties.COUNT)
                int perTenant) {

    static final String COUNT = "${validatedValue} (expected: 1 to 1000)";
}
