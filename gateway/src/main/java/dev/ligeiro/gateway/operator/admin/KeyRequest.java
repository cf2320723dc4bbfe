package dev.ligeiro.gateway.operator.admin;

import dev.ligeiro.gateway.http.auth.Scope;
import dev.ligeiro.gateway.http.problem.FieldError;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.transaction.Mode;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A valid request to make an API key: {@code {mode, name?, scopes?, expires_at?}}. Without scopes, the key has all of them.
 *
 * @param name what the key is for; null when not given
 * @param expiresAt null for never
 */
record KeyRequest(Mode mode, @Nullable String name, Set<Scope> scopes, @Nullable Instant expiresAt) {

    private static final int NAME_MAX = 100;

    static KeyRequest parse(ObjectNode body, Instant now) {
        Fields fields = new Fields(body);
        Mode mode = ModeField.required(fields);
        String name = fields.optionalText("name", NAME_MAX);
        Set<Scope> scopes = scopes(fields);
        Instant expiresAt = InstantField.optionalAfter(fields, "expires_at", now);
        fields.orThrow();
        if (mode == null) {
            throw new IllegalStateException("mode is missing without an error");
        }
        return new KeyRequest(mode, name, scopes, expiresAt);
    }

    private static Set<Scope> scopes(Fields fields) {
        List<String> codes = fields.optionalStrings("scopes");
        if (codes == null || codes.isEmpty()) {
            return EnumSet.allOf(Scope.class);
        }
        Set<Scope> scopes = EnumSet.noneOf(Scope.class);
        for (String code : codes) {
            Optional<Scope> scope = Scope.findByCode(code);
            if (scope.isEmpty()) {
                fields.reject(FieldError.invalid(
                        "scopes",
                        "expected only "
                                + Arrays.stream(Scope.values()).map(Scope::code).toList()));
                return scopes;
            }
            scopes.add(scope.get());
        }
        return scopes;
    }
}
