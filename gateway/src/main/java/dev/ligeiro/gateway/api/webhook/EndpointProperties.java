package dev.ligeiro.gateway.api.webhook;

import dev.ligeiro.webhook.AllowedNetworks;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of webhook registration.
 *
 * @param allowedNetworks internal addresses and networks that webhooks may call, plain http included; the dispatcher has the same
 *     setting and enforces it
 */
@ConfigurationProperties("ligeiro.webhook")
public record EndpointProperties(@DefaultValue List<String> allowedNetworks) {

    public EndpointProperties {
        // a malformed entry stops the start
        AllowedNetworks.parse(allowedNetworks);
    }

    public AllowedNetworks networks() {
        return AllowedNetworks.parse(allowedNetworks);
    }
}
