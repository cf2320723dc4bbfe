package dev.ligeiro.desk.operator;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings {@code ligeiro.admin.*}: the operators that have a token. {@code application.yml} explains them.
 *
 * @param token of the operator {@code admin}, who has all roles; empty for none
 * @param tokens bearer tokens by the name of the operator who has the token
 * @param roles by the same names; those of a name without an entry are {@code read} and {@code operate}
 */
@ConfigurationProperties("ligeiro.admin")
public record Operators(
        @DefaultValue("") String token,
        @DefaultValue Map<String, String> tokens,
        @DefaultValue Map<String, Set<Role>> roles) {

    private static final String ADMIN = "admin";
    private static final int LENGTH_MIN = 16;
    private static final Set<Role> DEFAULT_ROLES = EnumSet.of(Role.READ, Role.OPERATE);
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._-]{0,39}");

    /** @throws IllegalArgumentException if a token is too short, or two operators have the same one */
    public Operators {
        tokens = Map.copyOf(tokens);
        roles = Map.copyOf(roles);
        if (!token.isEmpty()) {
            requireLength("ligeiro.admin.token", token);
        }
        tokens.forEach(Operators::check);
        Set<String> nameless = new TreeSet<>(roles.keySet());
        nameless.removeAll(tokens.keySet());
        if (!nameless.isEmpty()) {
            throw new IllegalArgumentException("ligeiro.admin.roles: " + nameless
                    + " (expected: names that have a token in ligeiro.admin.tokens)");
        }
        Map<String, String> names = new HashMap<>();
        tokens.forEach((name, text) -> {
            if (names.put(text.strip(), name) != null || text.strip().equals(tokenOfAdmin(token))) {
                throw new IllegalArgumentException(
                        "ligeiro.admin.tokens, ligeiro.admin.token: two operators have the same token (expected: a token of its own for each)");
            }
        });
    }

    private static String tokenOfAdmin(String token) {
        return token.strip();
    }

    /** The operator with this token. Compares with each configured token in constant time. */
    public Optional<Operator> withToken(String given) {
        @Nullable Operator found = null;
        if (!token.isEmpty() && isSame(token, given)) {
            found = new Operator(ADMIN, EnumSet.allOf(Role.class));
        }
        for (Map.Entry<String, String> each : tokens.entrySet()) {
            if (isSame(each.getValue(), given)) {
                found = new Operator(each.getKey(), roles.getOrDefault(each.getKey(), DEFAULT_ROLES));
            }
        }
        return Optional.ofNullable(found);
    }

    private static boolean isSame(String token, String given) {
        return MessageDigest.isEqual(
                token.strip().getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
    }

    private static void check(String name, String token) {
        if (!NAME.matcher(name).matches() || name.equals(ADMIN)) {
            throw new IllegalArgumentException("ligeiro.admin.tokens: " + name
                    + " (expected: names of 1 to 40 lower-case letters, digits and . _ -, other than admin)");
        }
        requireLength("ligeiro.admin.tokens." + name, token);
    }

    private static void requireLength(String setting, String token) {
        int length = token.strip().length();
        if (length < LENGTH_MIN) {
            throw new IllegalArgumentException(
                    setting + ": a token of " + length + " characters (expected: at least " + LENGTH_MIN + ")");
        }
    }

    /** Without the tokens. */
    @Override
    public String toString() {
        return "Operators[" + tokens.keySet() + ", " + roles + "]";
    }
}
