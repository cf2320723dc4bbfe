package dev.ligeiro.dispatcher.signing;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The {@code webhook-signature} of an attempt: scheme v1, HMAC-SHA256 (Standard Webhooks 1.0). */
public final class Signature {

    private static final String SECRET_PREFIX = "whsec_";
    private static final String VERSION_PREFIX = "v1,";
    private static final String ALGORITHM = "HmacSHA256";

    private Signature() {}

    /**
     * Signs {@code id.timestamp.body}; the body must be the exact bytes that are sent.
     *
     * @param secret {@code whsec_} and base64
     * @param timestamp the time of the attempt, in Unix seconds
     * @throws IllegalArgumentException if {@code secret} is malformed; the message does not contain it
     */
    public static String v1(String secret, String webhookId, long timestamp, byte[] body) {
        Mac mac = mac(key(secret));
        mac.update((webhookId + '.' + timestamp + '.').getBytes(StandardCharsets.UTF_8));
        return VERSION_PREFIX + Base64.getEncoder().encodeToString(mac.doFinal(body));
    }

    private static byte[] key(String secret) {
        if (!secret.startsWith(SECRET_PREFIX)) {
            throw new IllegalArgumentException("secret: without its prefix (expected: whsec_ and base64)");
        }
        byte[] key;
        try {
            key = Base64.getDecoder().decode(secret.substring(SECRET_PREFIX.length()));
        } catch (IllegalArgumentException malformed) {
            // no cause: the message of the decoder quotes the secret
            throw new IllegalArgumentException("secret: not base64 (expected: whsec_ and base64)");
        }
        if (key.length == 0) {
            throw new IllegalArgumentException("secret: empty (expected: whsec_ and base64)");
        }
        return key;
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
