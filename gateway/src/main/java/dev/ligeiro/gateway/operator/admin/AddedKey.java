package dev.ligeiro.gateway.operator.admin;

import dev.ligeiro.gateway.http.auth.ApiKey;

/**
 * A new API key.
 *
 * @param key in plain text, which is not stored
 */
record AddedKey(ApiKey stored, String key) {

    /** Without the key. */
    @Override
    public String toString() {
        return "AddedKey[id=" + stored.id() + "]";
    }
}
