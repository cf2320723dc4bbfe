package dev.ligeiro.dispatcher.attempt;

import dev.ligeiro.webhook.EncryptedText;
import dev.ligeiro.webhook.SecretKeys;
import dev.ligeiro.webhook.SigningSecret;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.springframework.stereotype.Component;

/** Builds the headers of an attempt: the merchant's own and those of Standard Webhooks 1.0. */
@Component
class SignedHeaders {

    private static final String VERSION_PREFIX = "v1,";
    private static final String ALGORITHM = "HmacSHA256";

    private static final int DECRYPTED_MAX = 1_000;

    private final SecretKeys keys;
    /** The secrets of the endpoints that were used last: decrypting one costs more than signing with it. */
    private final Map<Encrypted, SigningSecret> decrypted =
            Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Encrypted, SigningSecret> eldest) {
                    return size() > DECRYPTED_MAX;
                }
            });

    private record Encrypted(UUID endpoint, EncryptedText text) {}

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
    Map<String, String> of(WebhookEndpoint endpoint, String webhookId, Instant at, byte[] body) {
        long timestamp = at.getEpochSecond();
        String signatures = endpoint.secretsAt(at).stream()
                .map(secret -> decrypted.computeIfAbsent(
                        new Encrypted(endpoint.id(), secret), each -> keys.decrypt(each.endpoint(), each.text())))
                .map(secret -> signature(secret, webhookId, timestamp, body))
                .collect(Collectors.joining(" "));
        Map<String, String> headers = new HashMap<>();
        endpoint.headers().forEach((name, value) -> headers.put(name, keys.decryptHeader(endpoint.id(), name, value)));
        headers.put("webhook-id", webhookId);
        headers.put("webhook-timestamp", Long.toString(timestamp));
        headers.put("webhook-signature", signatures);
        return headers;
    }

    /**
     * One signature, of {@code id.timestamp.body}: scheme v1, HMAC-SHA256. The body must be the exact bytes that are sent.
     *
     * @param timestamp the time of the attempt, in Unix seconds
     */
    static String signature(SigningSecret secret, String webhookId, long timestamp, byte[] body) {
        Mac mac = mac(secret.key());
        mac.update((webhookId + '.' + timestamp + '.').getBytes(StandardCharsets.UTF_8));
        return VERSION_PREFIX + Base64.getEncoder().encodeToString(mac.doFinal(body));
    }

    private static Mac mac(byte[] key) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            return mac;
        } catch (NoSuchAlgorithmException | InvalidKeyException impossible) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, impossible);
        }
    }
}
