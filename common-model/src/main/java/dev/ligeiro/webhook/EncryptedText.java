package dev.ligeiro.webhook;

import java.util.Optional;

/**
 * A text of an endpoint as it is stored: {@code <key id>:<base64>}, encrypted by {@link SecretKeys}. A signing secret that a version
 * without encryption stored is the plain {@code whsec_…}; it has no key id.
 */
public record EncryptedText(String stored) {

    /** The id of the key that decrypts it; empty for a plain secret. */
    Optional<String> keyId() {
        int colon = stored.indexOf(':');
        return colon < 0 ? Optional.empty() : Optional.of(stored.substring(0, colon));
    }

    /** The part after the key id. */
    String base64() {
        return stored.substring(stored.indexOf(':') + 1);
    }

    /** Hides the text, which may be a plain secret. */
    @Override
    public String toString() {
        return "EncryptedText[hidden]";
    }
}
