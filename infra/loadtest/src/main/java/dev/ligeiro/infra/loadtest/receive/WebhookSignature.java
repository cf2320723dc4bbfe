package dev.ligeiro.infra.loadtest.receive;

import dev.ligeiro.infra.loadtest.http.Bytes;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.SecretKeySpec;

/** Verifies the {@code v1} signature of a webhook (Standard Webhooks 1.0: HMAC-SHA256 of {@code id.timestamp.body}). For one thread. */
final class WebhookSignature {

    private static final String SECRET_PREFIX = "whsec_";
    private static final String ALGORITHM = "HmacSHA256";
    private static final byte[] VERSION = Bytes.ascii("v1,");
    private static final byte DOT = '.';

    private final Mac mac;
    private final byte[] expected = new byte[32];

    /** @param secret {@code whsec_} and base64 */
    WebhookSignature(String secret) {
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

    /** Whether one of the signatures in {@code header} is right; several stand there while a secret rotates. */
    boolean isValid(Slice id, Slice timestamp, Slice body, Slice header) {
        update(id);
        mac.update(DOT);
        update(timestamp);
        mac.update(DOT);
        update(body);
        byte[] right = Base64.getEncoder().encode(sign());
        int at = header.from();
        while (at < header.to()) {
            int end = header.endOfWord(at);
            if (Bytes.startsWith(header.bytes(), at, end, VERSION)
                    && end - at == VERSION.length + right.length
                    && Bytes.startsWith(header.bytes(), at + VERSION.length, end, right)) {
                return true;
            }
            at = end + 1;
        }
        return false;
    }

    private byte[] sign() {
        try {
            mac.doFinal(expected, 0);
            return expected;
        } catch (ShortBufferException impossible) {
            throw new IllegalStateException("SHA-256 has 32 bytes", impossible);
        }
    }

    private void update(Slice part) {
        mac.update(part.bytes(), part.from(), part.to() - part.from());
    }
}
