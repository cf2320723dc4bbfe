package dev.ligeiro.gateway.http;

import dev.ligeiro.support.Bounds;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Digits;
import jakarta.validation.constraints.Pattern;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The settings of the whole API. {@code application.yml} explains each key.
 *
 * @param publicUrl where merchants and payers reach the gateway: scheme, host and optional port; null: list links use the
 *     request's Host, checkout links use localhost
 * @param timeZone the time zone of times in responses and of dates in list filters
 * @param amountMax the largest amount of a transaction
 * @param expiresIn how long a transaction stays pending when neither its request nor its merchant says so; then it expires
 * @param ispb the operator's 8-character code in the Pix system (ISPB), part of every end-to-end id
 */
@ConfigurationProperties("ligeiro")
@Validated
public record GatewayProperties(
        @Pattern(
                        regexp = "https?://[^/?#@\\s]+",
                        message =
                                "ligeiro.public-url: ${validatedValue} (expected: http or https, a host and an optional port, such as https://pix.example.com)")
                @Nullable
                String publicUrl,
        @DefaultValue("America/Sao_Paulo") ZoneId timeZone,
        @DefaultValue("9999999999.99")
                @DecimalMin(value = "0.01", message = GatewayProperties.AMOUNT_MAX)
                @Digits(integer = 10, fraction = 2, message = GatewayProperties.AMOUNT_MAX)
                BigDecimal amountMax,
        @DefaultValue("24h") @Bounds(key = "ligeiro.expires-in", min = "1s", max = "365d") Duration expiresIn,
        @DefaultValue("99999999")
                @Pattern(
                        regexp = "[0-9A-Z]{8}",
                        message = "ligeiro.ispb: ${validatedValue} (expected: 8 characters 0-9 or A-Z)")
                String ispb) {

    private static final String AMOUNT_MAX =
            "ligeiro.amount-max: ${validatedValue} (expected: 0.01 to 9999999999.99, at most 2 decimals)";
}
