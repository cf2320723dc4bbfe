package dev.ligeiro.gateway.http.auth;

import reactor.core.publisher.Mono;

/** Looks up the caller of an API key. */
@FunctionalInterface
interface CallerLookup {

    /**
     * The caller of the key, also of an expired one; empty when the key is unknown or revoked.
     *
     * @param hash of the key
     * @param wasValid whether the key was valid before; such keys do not wait behind others
     */
    Mono<Caller> find(String hash, boolean wasValid);
}
