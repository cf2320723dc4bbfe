package dev.ligeiro.dispatcher.attempt;

import dev.ligeiro.support.observe.ViewSettings;
import dev.ligeiro.view.WebhookPayload;
import jakarta.validation.constraints.Pattern;
import java.time.ZoneId;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The settings of payloads. They must equal the gateway's: an alert compares their metric.
 *
 * @param publicUrl the gateway's public address (scheme, host and optional port), for payment links
 * @param timeZone the time zone of the times in a transaction
 */
@Validated
@ConfigurationProperties("ligeiro")
public record ViewProperties(
        @DefaultValue("http://localhost:8080") @Pattern(regexp = "https?://[^/?#@\\s]+") String publicUrl,
        @DefaultValue("America/Sao_Paulo") ZoneId timeZone) {

    public ViewSettings settings() {
        return new ViewSettings(timeZone, publicUrl);
    }

    public WebhookPayload payload() {
        return new WebhookPayload(settings().view());
    }
}
