package dev.ligeiro.desk.operator;

import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** The settings {@code ligeiro.operators.oidc.*}: the OpenID provider where operators sign in. {@code application.yml} explains them. */
@ConfigurationProperties("ligeiro.operators.oidc")
record ProviderSettings(
        @DefaultValue("") String issuer,
        @DefaultValue("") String clientId,
        @DefaultValue("") String clientSecret,
        @DefaultValue({"openid", "profile", "email"}) List<String> scopes,
        @DefaultValue("preferred_username") String nameClaim,
        @DefaultValue("groups") String groupsClaim,
        @DefaultValue Map<String, Set<Role>> roles) {

    private static final int NAME_LENGTH_MAX = 100;

    /** @throws IllegalArgumentException if a provider is set, but not the client or no role */
    ProviderSettings {
        if (!issuer.isEmpty() && (clientId.isEmpty() || clientSecret.isEmpty() || roles.isEmpty())) {
            throw new IllegalArgumentException(
                    "ligeiro.operators.oidc: issuer alone (expected: client-id, client-secret and roles, too)");
        }
    }

    boolean hasProvider() {
        return !issuer.isEmpty();
    }

    /** The operator whom the provider has named; null if the person has no role here, or no name that is certain. */
    @Nullable
    Operator operator(Map<String, Object> claims) {
        Set<Role> all = EnumSet.noneOf(Role.class);
        if (claims.get(groupsClaim) instanceof Collection<?> groups) {
            groups.forEach(group -> all.addAll(roles.getOrDefault(String.valueOf(group), Set.of())));
        }
        boolean isUnverified = nameClaim.equals("email") && !Boolean.TRUE.equals(claims.get("email_verified"));
        return claims.get(nameClaim) instanceof String name
                        && !name.isBlank()
                        && name.length() <= NAME_LENGTH_MAX
                        && !isUnverified
                        && !all.isEmpty()
                ? new Operator(name, all)
                : null;
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return "ProviderSettings[" + issuer + ", " + clientId + ", " + roles + "]";
    }
}
