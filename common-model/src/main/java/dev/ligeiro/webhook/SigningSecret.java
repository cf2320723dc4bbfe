package dev.ligeiro.webhook;

import java.security.SecureRandom;
import java.util.Base64;

/**
 * A secret that signs webhooks, readable: {@code whsec_} and the base64 of 24 to 64 bytes (Standard Webhooks 1.0). It is never logged
 * and never stored in this form.
 */
public record SigningSecret(String text) {

    private static final String PREFIX = "whsec_";
    private static final int BYTES_MIN = 24;
    private static final int BYTES_MAX = 64;
    private static final int RANDOM_BYTES = 32;

    private static final SecureRandom RANDOM = new SecureRandom();

    /** @throws IllegalArgumentException for any other form; the message names the expected form and does not contain the secret */
    public SigningSecret {
        byte[] key = text.startsWith(PREFIX) ? decoded(text) : new byte[0];
        // padded and without stray bits, so that the libraries of all languages decode the same bytes
        boolean canonical = text.equals(PREFIX + Base64.getEncoder().encodeToString(key));
        if (!canonical || key.length < BYTES_MIN || key.length > BYTES_MAX) {
            throw new IllegalArgumentException(
                    "expected " + PREFIX + " and the base64 of " + BYTES_MIN + " to " + BYTES_MAX + " bytes");
        }
    }

    public static SigningSecret random() {
        byte[] key = new byte[RANDOM_BYTES];
        RANDOM.nextBytes(key);
        return new SigningSecret(PREFIX + Base64.getEncoder().encodeToString(key));
    }

    public byte[] key() {
        return decoded(text);
    }

    private static byte[] decoded(String text) {
        try {
            return Base64.getDecoder().decode(text.substring(PREFIX.length()));
        } catch (IllegalArgumentException malformed) {
            // no exception: the decoder's message quotes the secret
            return new byte[0];
        }
    }

    @Override
    public String toString() {
        return "SigningSecret[hidden]";
    }
}
