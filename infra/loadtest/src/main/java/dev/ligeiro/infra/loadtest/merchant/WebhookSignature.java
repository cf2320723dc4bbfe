package dev.ligeiro.infra.loadtest.merchant;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Verifies the {@code v1} signature of a webhook (Standard Webhooks 1.0: HMAC-SHA256 of {@code id.timestamp.body}). For one thread.
 * The reference library makes a new {@code Mac} for each webhook, which costs CPU that the system under test lacks; tests compare
 * this class with it.
 */
public final class WebhookSignature {

    private static final String SECRET_PREFIX = "whsec_";
    private static final String ALGORITHM = "HmacSHA256";

    private final Mac mac;

    /** @param secret {@code whsec_} and base64 */
    public WebhookSignature(String secret) {
        if (!secret.startsWith(SECRET_PREFIX)) {
            throw new IllegalArgumentException("secret: without its prefix (expected: whsec_ and base64)");
        }
        try {
            mac = Mac.getInstance(ALGORITHM);
            mac.init(
                    new SecretKeySpec(Base64.getDecoder().decode(secret.substring(SECRET_PREFIX.length())), ALGORITHM));
        } catch (NoSuchAlgorithmException | InvalidKeyException impossible) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, impossible);
        }
    }

    /** @param signatures the header, with several signatures while a secret is rotated; one of them must be valid */
    boolean isValid(String id, String timestamp, byte[] body, String signatures) {
        mac.update((id + '.' + timestamp + '.').getBytes(StandardCharsets.UTF_8));
        String expected = "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
        return Arrays.asList(signatures.split(" ")).contains(expected);
    }
}
