package dev.ligeiro.gateway.merchant;

import dev.ligeiro.gateway.problem.Problem;
import dev.ligeiro.gateway.problem.ProblemCode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.springframework.http.HttpHeaders;
import org.springframework.web.reactive.function.server.ServerRequest;

/** The operator's bearer token for the admin API. Without one configured, the API is closed. */
final class AdminToken {

    private static final String BEARER = "Bearer ";

    private final byte[] token;

    AdminToken(String token) {
        this.token = token.getBytes(StandardCharsets.UTF_8);
    }

    /** @throws Problem 401 where the request does not carry the token; compared in constant time */
    void require(ServerRequest request) {
        String given = request.headers().firstHeader(HttpHeaders.AUTHORIZATION);
        if (token.length == 0
                || given == null
                || !given.startsWith(BEARER)
                || !MessageDigest.isEqual(
                        token, given.substring(BEARER.length()).strip().getBytes(StandardCharsets.UTF_8))) {
            throw Problem.of(ProblemCode.UNAUTHORIZED, "Send Authorization: Bearer <admin token>")
                    .header(HttpHeaders.WWW_AUTHENTICATE, "Bearer realm=\"ligeiro-admin\"");
        }
    }
}
