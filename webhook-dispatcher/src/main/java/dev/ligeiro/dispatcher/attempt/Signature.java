package dev.ligeiro.dispatcher.attempt;

import dev.ligeiro.webhook.SigningSecret;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** One signature of an attempt: scheme v1, HMAC-SHA256 (Standard Webhooks 1.0). */
public final class Signature {

    private static final String VERSION_PREFIX = "v1,";
    private static final String ALGORITHM = "HmacSHA256";

    private Signature() {}

    /**
     * Signs {@code id.timestamp.body}; the body must be the exact bytes that are sent.
     *
     * @param timestamp the time of the attempt, in Unix seconds
     */
    public static String v1(SigningSecret secret, String webhookId, long timestamp, byte[] body) {
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
