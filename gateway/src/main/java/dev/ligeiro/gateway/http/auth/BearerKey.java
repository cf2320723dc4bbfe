package dev.ligeiro.gateway.http.auth;

import dev.ligeiro.merchant.ApiKey;
import dev.ligeiro.merchant.Scope;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/**
 * Reads the API key of a request, or the token of a console session, and refuses other forms before any look-up. The problems of unknown,
 * revoked and expired keys are equal, so that a caller cannot learn whether a key has existed.
 */
final class BearerKey {

    private static final String BEARER = "Bearer ";
    /** How the token of a console session begins. */
    static final String SESSION = "cs_";

    private static final Pattern SESSION_FORM = Pattern.compile(SESSION + "[A-Za-z0-9_-]{43}");
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
        if (!ApiKey.hasForm(key) && !isSession(key)) {
            throw unauthorized(
                    "The bearer token is not an API key: expected sk_test_ or sk_live_ and 43 characters of A-Z a-z 0-9 _ -",
                    invalidToken());
        }
        return key;
    }

    private static boolean isSession(String token) {
        return SESSION_FORM.matcher(token).matches();
    }

    /** What callers are cached and looked up by: the hash of the key; for a session {@link #SESSION} and the hash of its token. */
    static String hash(String token) {
        return isSession(token)
                ? sessionHash(ConsoleSession.hash(token.substring(SESSION.length())))
                : ApiKey.hash(token);
    }

    static String sessionHash(String tokenHash) {
        return SESSION + tokenHash;
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
