package dev.ligeiro.dispatcher.intake;

import java.net.URI;
import java.time.ZoneId;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What a payload shows of this installation; the gateway has the same settings.
 *
 * @param publicUrl where payers reach the gateway: the start of a payment link
 * @param timeZone of the times in a transaction
 */
@ConfigurationProperties("ligeiro")
record ViewProperties(
        @DefaultValue("http://localhost:8080") String publicUrl, @DefaultValue("America/Sao_Paulo") ZoneId timeZone) {

    ViewProperties {
        if (!URI.create(publicUrl).isAbsolute() || publicUrl.endsWith("/")) {
            throw new IllegalArgumentException(
                    "public-url: " + publicUrl + " (expected: an absolute URL without a slash at its end)");
        }
    }
}
