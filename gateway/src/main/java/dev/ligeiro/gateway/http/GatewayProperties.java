package dev.ligeiro.gateway.http;

import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Digits;
import jakarta.validation.constraints.Pattern;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.time.ZoneId;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;
import org.springframework.web.reactive.function.server.ServerRequest;

/**
 * The settings of the whole API. {@code application.yml} explains each key.
 *
 * @param publicUrl where merchants and payers reach the gateway: scheme, host and optional port; null: list links use the
 *     request's Host, checkout links use localhost, and live mode must be closed
 * @param timeZone the time zone of times in responses and of dates in list filters
 * @param amountMax the largest amount of a transaction
 * @param expiresIn how long a transaction stays pending when neither its request nor its merchant says so; then it expires
 * @param ispb the operator's 8-character code in the Pix system (ISPB), part of the end-to-end ids of test transactions
 */
@ConfigurationProperties("ligeiro")
@Validated
public record GatewayProperties(
        @Pattern(
                        regexp = "https?://[^/?#@\\s]+",
                        message = "must be http or https, a host and an optional port, such as https://pix.example.com")
                @Nullable
                String publicUrl,
        @DefaultValue("America/Sao_Paulo") ZoneId timeZone,
        @DefaultValue("9999999999.99") @DecimalMin("0.01") @Digits(integer = 10, fraction = 2) BigDecimal amountMax,
        @DefaultValue("24h") @DurationMin(seconds = 1) @DurationMax(days = 365) Duration expiresIn,
        @DefaultValue("99999999") @Pattern(regexp = "[0-9A-Z]{8}", message = "must have 8 characters 0-9 or A-Z")
                String ispb) {

    /**
     * The address at which a client reaches this gateway, without a slash at its end: {@code publicUrl}, whose host no request can change,
     * or the {@code Host} of the request if that is not set.
     */
    public String baseUrl(ServerRequest request) {
        URI uri = request.uri();
        return publicUrl == null ? uri.getScheme() + "://" + uri.getRawAuthority() : publicUrl;
    }
}
