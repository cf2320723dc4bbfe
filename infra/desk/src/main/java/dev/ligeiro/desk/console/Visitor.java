package dev.ligeiro.desk.console;

import dev.ligeiro.merchant.Scope;
import java.security.Principal;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;

/**
 * A person who is signed in, and the gateway's session that the person's requests use.
 *
 * @param session its id
 * @param token its bearer token, which only this process keeps
 * @param merchant the merchant's name
 * @param idle how long the session lasts without a request by the person
 */
public record Visitor(UUID session, String token, String merchant, boolean isTest, Set<Scope> scopes, Duration idle)
        implements Principal {

    public Visitor {
        scopes = Set.copyOf(scopes);
    }

    static Visitor of(Answers.OpenedSession opened) {
        return new Visitor(
                opened.id(),
                opened.token(),
                opened.merchant(),
                opened.mode().equals("test"),
                Scope.permitted(opened.scopes()),
                Duration.ofSeconds(opened.idleSeconds()));
    }

    /** Null before the sign-in. */
    static @Nullable Visitor of(@Nullable Principal principal) {
        return principal instanceof Authentication authentication
                        && authentication.getPrincipal() instanceof Visitor visitor
                ? visitor
                : null;
    }

    Authentication authentication() {
        return UsernamePasswordAuthenticationToken.authenticated(this, null, Set.of());
    }

    public boolean may(Scope scope) {
        return scopes.contains(scope);
    }

    @Override
    public String getName() {
        return merchant;
    }

    /** Without the token. */
    @Override
    public String toString() {
        return "Visitor[" + session + "]";
    }
}
