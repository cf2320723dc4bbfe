package dev.ligeiro.gateway.api.list.export;

import dev.ligeiro.support.Bounds;
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
        @DefaultValue("16") @Bounds(key = "ligeiro.exports.max", min = "1", max = "1000") int max,
        @DefaultValue("2") @Bounds(key = "ligeiro.exports.per-tenant", min = "1", max = "1000") int perTenant) {}
