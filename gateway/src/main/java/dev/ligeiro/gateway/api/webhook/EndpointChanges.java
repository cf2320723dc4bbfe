package dev.ligeiro.gateway.api.webhook;

import dev.ligeiro.webhook.EncryptedText;
import dev.ligeiro.webhook.EndpointSecret;
import dev.ligeiro.webhook.SecretKeys;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Pure changes of an endpoint's secrets. */
public final class EndpointChanges {

    private EndpointChanges() {}

    static WebhookEndpoint withSecrets(WebhookEndpoint endpoint, List<EndpointSecret> secrets) {
        return with(endpoint, secrets, endpoint.headers());
    }

    /** Whether all its secrets and headers are encrypted with the key that encrypts now. */
    public static boolean isCurrent(WebhookEndpoint endpoint, SecretKeys keys) {
        return endpoint.secrets().stream().map(EndpointSecret::secret).allMatch(keys::isCurrent)
                && endpoint.headers().values().stream().allMatch(keys::isCurrent);
    }

    /**
     * {@code endpoint} with all its secrets and headers encrypted with the key that encrypts now.
     *
     * @throws IllegalArgumentException if one cannot be decrypted
     */
    public static WebhookEndpoint encryptedAgain(WebhookEndpoint endpoint, SecretKeys keys) {
        List<EndpointSecret> secrets = endpoint.secrets().stream()
                .map(each -> new EndpointSecret(
                        keys.encrypt(endpoint.id(), keys.decrypt(endpoint.id(), each.secret())), each.validUntil()))
                .toList();
        Map<String, EncryptedText> headers = new HashMap<>();
        endpoint.headers()
                .forEach((name, value) -> headers.put(
                        name, keys.encryptHeader(endpoint.id(), name, keys.decryptHeader(endpoint.id(), name, value))));
        return with(endpoint, secrets, headers);
    }

    private static WebhookEndpoint with(
            WebhookEndpoint endpoint, List<EndpointSecret> secrets, Map<String, EncryptedText> headers) {
        return new WebhookEndpoint(
                endpoint.id(),
                endpoint.tenant(),
                endpoint.kind(),
                endpoint.url(),
                endpoint.events(),
                secrets,
                headers,
                endpoint.description(),
                endpoint.status(),
                endpoint.createdAt(),
                endpoint.version());
    }
}
