package dev.ligeiro.dispatcher.intake;

import jakarta.validation.constraints.Pattern;
import java.time.ZoneId;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The settings that a payload depends on. The gateway has the same ones.
 *
 * @param publicUrl where payers reach the gateway, without a slash at the end: the start of a payment link
 * @param timeZone of the times in a transaction
 */
@Validated
@ConfigurationProperties("ligeiro")
record ViewProperties(
        @DefaultValue("http://localhost:8080") @Pattern(regexp = "https?://[^/]+(/.*[^/])?") String publicUrl,
        @DefaultValue("America/Sao_Paulo") ZoneId timeZone) {}
