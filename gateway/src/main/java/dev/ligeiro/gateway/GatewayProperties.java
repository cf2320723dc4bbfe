package dev.ligeiro.gateway;

import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Digits;
import jakarta.validation.constraints.Pattern;
import java.math.BigDecimal;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * What an operator may set about the API as a whole. {@code application.yml} explains each key.
 *
 * @param publicUrl where merchants and payers reach the gateway, without a slash at the end; null: links to pages of a list
 *     follow the request's Host, links to the checkout page name localhost
 * @param timeZone the zone of the API's times and of the list's dates
 * @param amountMax the largest amount of a transaction
 * @param ispb the operator's number in the Pix system, part of every end-to-end id
 */
@ConfigurationProperties("ligeiro")
@Validated
public record GatewayProperties(
        @Pattern(regexp = "https?://[^/]+(/.*[^/])?") @Nullable String publicUrl,
        @DefaultValue("America/Sao_Paulo") ZoneId timeZone,
        @DefaultValue("9999999999.99") @DecimalMin("0.01") @Digits(integer = 10, fraction = 2) BigDecimal amountMax,
        @DefaultValue("99999999") @Pattern(regexp = "[0-9A-Z]{8}") String ispb) {}
