package dev.ligeiro.desk.console;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.ligeiro.merchant.Scope;
import java.security.Principal;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;

/**
 * A person who is signed in: the session that the gateway has opened for the person's requests.
 *
 * @param token its bearer token, which only this process keeps
 * @param merchant the merchant's name
 * @param scopes the codes of what it may do
 * @param idleSeconds how long it lasts without a request by the person
 */
public record Visitor(
        @JsonProperty("id") UUID session,
        String token,
        String merchant,
        String mode,
        Set<String> scopes,
        @Nullable String language,
        long idleSeconds)
        implements Principal {

    /** Null before the sign-in. */
    static @Nullable Visitor of(@Nullable Principal principal) {
        return principal instanceof Authentication authentication
                        && authentication.getPrincipal() instanceof Visitor visitor
                ? visitor
                : null;
    }

    public boolean isTest() {
        return mode.equals("test");
    }

    public boolean may(Scope scope) {
        return scopes.contains(scope.code());
    }

    /** @param page a page of the menu */
    boolean mayOpen(String page) {
        return switch (page) {
            case "endpoints" -> may(Scope.WEBHOOKS_MANAGE);
            case "statement" -> may(Scope.STATEMENT_READ);
            case "access" -> true;
            default -> may(Scope.TRANSACTIONS_READ);
        };
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
