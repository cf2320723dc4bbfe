package dev.ligeiro.gateway.admin;

import dev.ligeiro.gateway.auth.Scope;
import dev.ligeiro.gateway.http.Fields;
import dev.ligeiro.gateway.problem.FieldError;
import dev.ligeiro.transaction.Mode;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** A valid request to create an API key: {@code {mode, scopes?, expires_at?}}. Without scopes, the key has all of them. */
record KeyRequest(Mode mode, Set<Scope> scopes, @Nullable Instant expiresAt) {

    static KeyRequest parse(ObjectNode body) {
        Fields fields = new Fields(body);
        Mode mode = ModeField.required(fields);
        Set<Scope> scopes = scopes(fields);
        Instant expiresAt = fields.optionalParsed("expires_at", KeyRequest::instant);
        fields.orThrow();
        if (mode == null) {
            throw new IllegalStateException("mode is missing without an error");
        }
        return new KeyRequest(mode, scopes, expiresAt);
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

    private static Instant instant(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException malformed) {
            throw new IllegalArgumentException("expected an RFC 3339 time in UTC such as 2030-01-31T12:00:00Z");
        }
    }
}
