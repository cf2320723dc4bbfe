package dev.ligeiro.webhook;

/**
 * A text of an endpoint as it is stored: {@code <key id>:<base64>}, encrypted by {@link SecretKeys}.
 */
public record EncryptedText(String stored) {

    /** The id of the key that decrypts it; empty if the text is malformed. */
    String keyId() {
        return stored.substring(0, Math.max(0, stored.indexOf(':')));
    }

    String base64() {
        return stored.substring(stored.indexOf(':') + 1);
    }

    @Override
    public String toString() {
        return "EncryptedText[hidden]";
    }
}
