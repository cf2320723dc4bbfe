package dev.ligeiro.gateway.operator.admin;

import java.util.Map;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings {@code ligeiro.admin.*}. {@code application.yml} explains them.
 *
 * @param tokens bearer tokens by the name of the operator who has the token
 */
@ConfigurationProperties("ligeiro.admin")
record AdminProperties(@DefaultValue Map<String, String> tokens) {

    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._-]{0,39}");
    private static final int TOKEN_LENGTH_MIN = 16;

    AdminProperties {
        tokens = Map.copyOf(tokens);
        tokens.forEach(AdminProperties::check);
    }

    private static void check(String name, String token) {
        if (!NAME.matcher(name).matches() || name.equals(AdminToken.ADMIN)) {
            throw new IllegalArgumentException("ligeiro.admin.tokens: " + name
                    + " (expected: names of 1 to 40 lower-case letters, digits and . _ -, other than admin)");
        }
        if (token.strip().length() < TOKEN_LENGTH_MIN) {
            throw new IllegalArgumentException("ligeiro.admin.tokens." + name + ": a token of "
                    + token.strip().length() + " characters (expected: at least " + TOKEN_LENGTH_MIN + ")");
        }
    }

    /** Without the tokens. */
    @Override
    public String toString() {
        return "AdminProperties[" + tokens.keySet() + "]";
    }
}
