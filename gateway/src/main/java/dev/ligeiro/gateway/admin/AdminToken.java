package dev.ligeiro.gateway.admin;

import dev.ligeiro.gateway.api.Access;
import dev.ligeiro.gateway.problem.Problem;
import dev.ligeiro.gateway.problem.ProblemCode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.web.reactive.function.server.ServerRequest;
import reactor.core.publisher.Mono;

/** Admits the operator to the admin API by a bearer token. Without a configured token, the API is closed. */
public final class AdminToken implements Access<Operator> {

    private static final String BEARER = "Bearer ";

    private final byte[] token;

    AdminToken(String token) {
        this.token = token.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Mono<Operator> caller(ServerRequest request) {
        return isValid(request.headers().firstHeader(HttpHeaders.AUTHORIZATION))
                ? Mono.just(Operator.OPERATOR)
                : Mono.error(Problem.of(ProblemCode.UNAUTHORIZED, "Send Authorization: Bearer <admin token>")
                        .header(HttpHeaders.WWW_AUTHENTICATE, "Bearer realm=\"ligeiro-admin\""));
    }

    /** Compares in constant time. */
    private boolean isValid(@Nullable String authorization) {
        return token.length > 0
                && authorization != null
                && authorization.startsWith(BEARER)
                && MessageDigest.isEqual(
                        token, authorization.substring(BEARER.length()).strip().getBytes(StandardCharsets.UTF_8));
    }
}
