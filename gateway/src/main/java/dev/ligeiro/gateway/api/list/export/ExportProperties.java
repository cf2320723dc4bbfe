package dev.ligeiro.gateway.api.list.export;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
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
        @DefaultValue("16") @Min(1) @Max(1000) int max, @DefaultValue("2") @Min(1) @Max(1000) int perTenant) {}
