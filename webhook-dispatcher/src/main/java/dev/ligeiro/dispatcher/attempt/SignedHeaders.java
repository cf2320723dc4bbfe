package dev.ligeiro.dispatcher.attempt;

import dev.ligeiro.webhook.SecretKeys;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/** Builds the headers of an attempt: the merchant's own and those of Standard Webhooks 1.0. */
@Component
public class SignedHeaders {

    private final SecretKeys keys;

    SignedHeaders(SecretKeys keys) {
        this.keys = keys;
    }

    /**
     * The headers of an attempt at {@code at}. Each secret that is valid then signs; the signatures are separated by spaces, so that a
     * receiver can verify with any of them during a rotation.
     *
     * @param body the exact bytes that are sent
     * @throws IllegalArgumentException if a secret or header cannot be decrypted
     */
    public Map<String, String> of(WebhookEndpoint endpoint, String webhookId, Instant at, byte[] body) {
        long timestamp = at.getEpochSecond();
        String signatures = endpoint.secretsAt(at).stream()
                .map(secret -> keys.decrypt(endpoint.id(), secret))
                .map(secret -> Signature.v1(secret, webhookId, timestamp, body))
                .collect(Collectors.joining(" "));
        Map<String, String> headers = new HashMap<>();
        endpoint.headers().forEach((name, value) -> headers.put(name, keys.decryptHeader(endpoint.id(), name, value)));
        headers.put("webhook-id", webhookId);
        headers.put("webhook-timestamp", Long.toString(timestamp));
        headers.put("webhook-signature", signatures);
        return headers;
    }
}
