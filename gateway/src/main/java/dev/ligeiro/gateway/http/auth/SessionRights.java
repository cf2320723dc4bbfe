package dev.ligeiro.gateway.http.auth;

import dev.ligeiro.gateway.http.html.InProcessCall;
import dev.ligeiro.merchant.Scope;
import dev.ligeiro.transaction.Requester;
import java.util.Set;
import java.util.UUID;
import org.springframework.web.reactive.function.server.ServerRequest;

/**
 * The rights of a person who is signed in to the merchant's console: those of an API key, as long as the key works.
 *
 * @param session its id
 * @param keyHash the SHA-256 of the key, as it is stored
 * @param scopes what the session may do of what the key may do
 */
public record SessionRights(UUID session, String keyHash, Set<Scope> scopes) {

    public SessionRights {
        scopes = Set.copyOf(scopes);
    }

    /** Whose key the request came with, and the session if it is one of a page. */
    public static Requester requester(ServerRequest request, Caller caller) {
        return new Requester(
                caller.keyId(),
                InProcessCall.rights(request, SessionRights.class)
                        .map(SessionRights::session)
                        .orElse(caller.session()));
    }
}
