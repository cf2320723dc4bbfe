package dev.ligeiro.gateway.operator.admin;

import dev.ligeiro.gateway.http.Access;
import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.web.reactive.function.server.ServerRequest;
import reactor.core.publisher.Mono;

/** Admits operators to the admin API by their bearer token. Without a configured token, the API is closed. */
final class AdminToken implements Access<Operator> {

    /** The name of the operator with the token {@code ligeiro.admin-token}. */
    static final String ADMIN = "admin";

    private static final String BEARER = "Bearer ";

    private final Map<Operator, byte[]> tokens = new HashMap<>();

    /**
     * @param token of the operator {@code admin}; empty for none
     * @param tokens of further operators, by their names
     * @throws IllegalArgumentException if two operators have the same token
     */
    AdminToken(String token, Map<String, String> tokens) {
        if (!token.isEmpty()) {
            this.tokens.put(new Operator(ADMIN), bytes(token.strip()));
        }
        tokens.forEach((name, named) -> this.tokens.put(new Operator(name), bytes(named.strip())));
        if (this.tokens.values().stream().map(ByteBuffer::wrap).distinct().count() < this.tokens.size()) {
            throw new IllegalArgumentException(
                    "ligeiro.admin.tokens, ligeiro.admin-token: two operators have the same token (expected: a token of its own for each)");
        }
    }

    @Override
    public Mono<Operator> caller(ServerRequest request) {
        return Mono.justOrEmpty(operator(request.headers().firstHeader(HttpHeaders.AUTHORIZATION)))
                .switchIfEmpty(Mono.error(
                        () -> Problem.of(ProblemCode.UNAUTHORIZED, "Send Authorization: Bearer <admin token>")
                                .header(HttpHeaders.WWW_AUTHENTICATE, "Bearer realm=\"ligeiro-admin\"")));
    }

    /** Compares with each token in constant time. */
    private Optional<Operator> operator(@Nullable String authorization) {
        if (authorization == null || !authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            return Optional.empty();
        }
        byte[] given = bytes(authorization.substring(BEARER.length()).strip());
        return tokens.entrySet().stream()
                .filter(each -> MessageDigest.isEqual(each.getValue(), given))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    private static byte[] bytes(String token) {
        return token.getBytes(StandardCharsets.UTF_8);
    }
}
