package dev.ligeiro.gateway.operator.admin;

import static java.util.Objects.requireNonNull;

import dev.ligeiro.gateway.http.Access;
import dev.ligeiro.gateway.http.html.InProcessCall;
import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import reactor.core.publisher.Mono;

/** Admits operators to the admin API by their bearer token and its roles. Without a configured token, the API is closed. */
@Component
public final class AdminToken {

    /** The name of the operator with the token {@code ligeiro.admin-token}. */
    private static final String ADMIN = "admin";

    /** The attribute of a request that has the operator, also one whose roles do not admit the request. */
    static final String OPERATOR = AdminToken.class.getName() + ".operator";

    private static final String BEARER = "Bearer ";
    private static final String HMAC = "HmacSHA256";
    private static final int LENGTH_MIN = 16;
    private static final Set<Role> ALL_ROLES = EnumSet.allOf(Role.class);
    private static final Set<Role> DEFAULT_ROLES = EnumSet.of(Role.READ, Role.OPERATE);

    private final Map<Operator, byte[]> tokens = new HashMap<>();
    private final WrongTokens wrongTokens;

    /**
     * @param token of the operator {@code admin}; empty for none
     * @param properties the tokens of further operators
     * @throws IllegalArgumentException if a token is too short, or two operators have the same one
     */
    AdminToken(@Value("${ligeiro.admin-token:}") String token, AdminProperties properties, WrongTokens wrongTokens) {
        this.wrongTokens = wrongTokens;
        if (!token.isEmpty()) {
            requireLength("ligeiro.admin-token", token);
            tokens.put(new Operator(ADMIN, ALL_ROLES), bytes(token.strip()));
        }
        properties.tokens().forEach((name, named) -> tokens.put(properties.operator(name), bytes(named.strip())));
        if (tokens.values().stream().map(ByteBuffer::wrap).distinct().count() < tokens.size()) {
            throw new IllegalArgumentException(
                    "ligeiro.admin.tokens, ligeiro.admin-token: two operators have the same token (expected: a token of its own for each)");
        }
    }

    /** Admits operators who have {@code role}. */
    Access<Operator> of(Role role) {
        return request -> caller(request).doOnNext(operator -> operator.require(role));
    }

    /** Admits operators who may change something, of money or other. */
    Access<Operator> ofChanges() {
        return request -> caller(request)
                .doOnNext(operator -> operator.require(operator.has(Role.MONEY) ? Role.MONEY : Role.OPERATE));
    }

    private Mono<Operator> caller(ServerRequest request) {
        return Mono.fromCallable(() -> InProcessCall.rights(request, Operator.class)
                        .orElseGet(() ->
                                signIn(request, bearer(request.headers().firstHeader(HttpHeaders.AUTHORIZATION)))))
                .doOnNext(operator -> request.attributes().put(OPERATOR, operator));
    }

    private static String bearer(@Nullable String authorization) {
        if (authorization == null || !authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            throw unauthorized();
        }
        return authorization.substring(BEARER.length()).strip();
    }

    static Problem unauthorized() {
        return Problem.of(ProblemCode.UNAUTHORIZED, "Send Authorization: Bearer <admin token>")
                .header(HttpHeaders.WWW_AUTHENTICATE, "Bearer realm=\"ligeiro-admin\"");
    }

    /**
     * The operator with this token. Compares with each configured token in constant time.
     *
     * @throws Problem 401 for an unknown token, 429 after too many of them
     */
    public Operator signIn(ServerRequest request, String token) {
        wrongTokens.requireFew(request, token);
        byte[] given = bytes(token);
        return tokens.entrySet().stream()
                .filter(each -> MessageDigest.isEqual(each.getValue(), given))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow(() -> wrongTokens.refusal(request, token));
    }

    /** The operator with this name. */
    public Optional<Operator> named(String name) {
        return tokens.keySet().stream()
                .filter(operator -> operator.name().equals(name))
                .findFirst();
    }

    /** An HMAC-SHA256 of the operator's token, by a random key: it is another one once the token is another one. */
    public byte[] fingerprint(Operator operator, String key) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(bytes(key), HMAC));
            return mac.doFinal(requireNonNull(tokens.get(operator)));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static void requireLength(String setting, String token) {
        int length = token.strip().length();
        if (length < LENGTH_MIN) {
            throw new IllegalArgumentException(
                    setting + ": a token of " + length + " characters (expected: at least " + LENGTH_MIN + ")");
        }
    }

    private static byte[] bytes(String token) {
        return token.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * The settings {@code ligeiro.admin.*}. {@code application.yml} explains them.
     *
     * @param tokens bearer tokens by the name of the operator who has the token
     * @param roles by the same names; those of a name without an entry are {@code read} and {@code operate}
     */
    @ConfigurationProperties("ligeiro.admin")
    record AdminProperties(@DefaultValue Map<String, String> tokens, @DefaultValue Map<String, Set<Role>> roles) {

        private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._-]{0,39}");

        AdminProperties {
            tokens = Map.copyOf(tokens);
            roles = Map.copyOf(roles);
            tokens.forEach(AdminProperties::check);
            Set<String> nameless = new TreeSet<>(roles.keySet());
            nameless.removeAll(tokens.keySet());
            if (!nameless.isEmpty()) {
                throw new IllegalArgumentException("ligeiro.admin.roles: " + nameless
                        + " (expected: names that have a token in ligeiro.admin.tokens)");
            }
        }

        Operator operator(String name) {
            return new Operator(name, roles.getOrDefault(name, DEFAULT_ROLES));
        }

        private static void check(String name, String token) {
            if (!NAME.matcher(name).matches() || name.equals(ADMIN)) {
                throw new IllegalArgumentException("ligeiro.admin.tokens: " + name
                        + " (expected: names of 1 to 40 lower-case letters, digits and . _ -, other than admin)");
            }
            requireLength("ligeiro.admin.tokens." + name, token);
        }

        /** Without the tokens. */
        @Override
        public String toString() {
            return "AdminProperties[" + tokens.keySet() + ", " + roles + "]";
        }
    }
}
