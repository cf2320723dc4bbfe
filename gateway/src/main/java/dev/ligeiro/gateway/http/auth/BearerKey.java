package dev.ligeiro.gateway.http.auth;

import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
import dev.ligeiro.merchant.ApiKey;
import dev.ligeiro.merchant.Scope;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/**
 * Reads the API key of a request, and refuses a key of the wrong form before any look-up. The problems of unknown, revoked and expired
 * keys are equal, so that a caller cannot learn whether a key has existed.
 */
final class BearerKey {

    private static final String BEARER = "Bearer ";
    private static final String REALM = "Bearer realm=\"ligeiro\"";

    private BearerKey() {}

    /**
     * @param authorization the value of the header; null when the request has none
     * @throws Problem 401 when it is no bearer token of the form of a key
     */
    static String of(@Nullable String authorization) {
        if (authorization == null || !authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            throw unauthorized("Send Authorization: Bearer <API key>", REALM);
        }
        String key = authorization.substring(BEARER.length()).strip();
        if (!ApiKey.hasForm(key)) {
            throw unauthorized(
                    "The bearer token is not an API key: expected sk_test_ or sk_live_ and 43 characters of A-Z a-z 0-9 _ -",
                    invalidToken());
        }
        return key;
    }

    /** A 401 for every key that does not work. */
    static Problem refused() {
        return unauthorized("The API key is unknown, revoked or expired", invalidToken());
    }

    /** A 403 for a key without the scope of the route (RFC 6750 §3.1). */
    static Problem lacks(Scope scope) {
        return Problem.of(ProblemCode.INSUFFICIENT_SCOPE, "The API key lacks the scope " + scope.code())
                .header(
                        HttpHeaders.WWW_AUTHENTICATE,
                        REALM + ", error=\"insufficient_scope\", scope=\"" + scope.code() + "\"");
    }

    private static String invalidToken() {
        return REALM + ", error=\"invalid_token\"";
    }

    private static Problem unauthorized(String detail, String challenge) {
        return Problem.of(ProblemCode.UNAUTHORIZED, detail).header(HttpHeaders.WWW_AUTHENTICATE, challenge);
    }
}
