package dev.ligeiro.gateway.http.auth;

import java.util.Set;

/**
 * The rights of a person who is signed in to the merchant's console: those of an API key, as long as the key works.
 *
 * @param keyHash the SHA-256 of the key, as it is stored
 * @param scopes what the session may do of what the key may do
 */
public record SessionRights(String keyHash, Set<Scope> scopes) {

    public SessionRights {
        scopes = Set.copyOf(scopes);
    }
}
