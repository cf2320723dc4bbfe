package dev.ligeiro.desk.operator;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;

/**
 * The settings {@code ligeiro.admin.*}: the operators that have a token. {@code application.yml} explains them.
 *
 * @param token of the operator {@code admin}, who has all roles; empty for none
 * @param tokens bearer tokens by the name of the operator who has the token, with that of {@code admin}
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

    /** @throws IllegalArgumentException if a token is too short, or two operators have the same one */
    public Operators {
        Assert.isTrue(
                tokens.keySet().containsAll(roles.keySet()),
                "ligeiro.admin.roles: " + roles.keySet()
                        + " (expected: names that have a token in ligeiro.admin.tokens)");
        Map<String, String> all = new TreeMap<>();
        tokens.forEach((name, text) -> {
            Assert.isTrue(
                    name.matches("[a-z0-9][a-z0-9._-]{0,39}") && !name.equals(ADMIN),
                    () -> "ligeiro.admin.tokens: " + name
                            + " (expected: names of 1 to 40 lower-case letters, digits and . _ -, other than admin)");
            all.put(name, text.strip());
        });
        if (!token.isEmpty()) {
            all.put(ADMIN, token.strip());
        }
        all.forEach((name, text) -> Assert.isTrue(
                text.length() >= LENGTH_MIN,
                () -> "the token of the operator " + name + ": " + text.length() + " characters (expected: at least "
                        + LENGTH_MIN + ")"));
        Assert.isTrue(
                Set.copyOf(all.values()).size() == all.size(),
                "ligeiro.admin.tokens, ligeiro.admin.token: two operators have the same token (expected: one of its own for each)");
        tokens = Map.copyOf(all);
        roles = Map.copyOf(roles);
    }

    /** The operator with this token. Compares with each configured token in constant time. */
    public Optional<Operator> withToken(String given) {
        byte[] bytes = given.getBytes(StandardCharsets.UTF_8);
        @Nullable Operator found = null;
        for (Map.Entry<String, String> each : tokens.entrySet()) {
            if (MessageDigest.isEqual(each.getValue().getBytes(StandardCharsets.UTF_8), bytes)) {
                String name = each.getKey();
                found = new Operator(
                        name, name.equals(ADMIN) ? EnumSet.allOf(Role.class) : roles.getOrDefault(name, DEFAULT_ROLES));
            }
        }
        return Optional.ofNullable(found);
    }

    /** Without the tokens. */
    @Override
    public String toString() {
        return "Operators[" + tokens.keySet() + ", " + roles + "]";
    }
}
