package dev.ligeiro.support;

/** The setting {@code ligeiro.webhook.secret-keys} is missing or malformed. The message contains no part of a key. */
final class InvalidSecretKeysException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    InvalidSecretKeysException(IllegalArgumentException invalid) {
        super(invalid.getMessage(), invalid);
    }
}
