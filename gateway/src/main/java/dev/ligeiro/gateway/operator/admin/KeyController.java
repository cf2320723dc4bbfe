package dev.ligeiro.gateway.operator.admin;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.auth.ApiKey;
import dev.ligeiro.gateway.http.auth.Scope;
import dev.ligeiro.gateway.http.problem.FieldError;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.gateway.http.request.TimeText;
import dev.ligeiro.gateway.operator.admin.AdministerKeys.MadeKey;
import dev.ligeiro.transaction.Mode;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ObjectNode;

/** {@code /admin/merchants/{id}/keys}: makes, lists, shows, rotates and revokes the API keys of a merchant. */
@Component
class KeyController implements ManagementRoutes {

    private static final String ALL = "/admin/merchants/{id}/keys";
    private static final String ID = "key_id";
    private static final String ONE = ALL + "/{" + ID + "}";
    private static final int NAME_MAX = 100;
    private static final List<String> SCOPES =
            Arrays.stream(Scope.values()).map(Scope::code).toList();
    private static final Duration OVERLAP_DEFAULT = Duration.ofHours(24);
    private static final Duration OVERLAP_MAX = Duration.ofDays(30);

    private final AdminRoutes routes;
    private final AdministerKeys keys;
    private final Clock clock;

    KeyController(AdminRoutes routes, AdministerKeys keys, Clock clock) {
        this.routes = routes;
        this.keys = keys;
        this.clock = clock;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                routes.postJson(ALL, this::create),
                routes.get(ALL, this::list),
                routes.get(ONE, this::show),
                routes.postJson(ONE + "/rotate", this::rotate),
                routes.delete(ONE, this::revoke));
    }

    /** {@code {mode, name?, scopes?, expires_at?}}. Without scopes, the key has all of them; without an expiry, it works for ever. */
    private Mono<ServerResponse> create(ServerRequest request, Operator operator, ObjectNode body) {
        UUID merchantId = AdminIds.merchant(request);
        Fields fields = new Fields(body);
        Mode mode = MerchantFields.mode(fields);
        String name = fields.optionalText("name", NAME_MAX);
        List<String> scopes = scopes(fields);
        Instant expiresAt = expiresAt(fields);
        fields.orThrow();
        return keys.add(merchantId, requireNonNull(mode), name, scopes, expiresAt)
                .flatMap(this::created);
    }

    private Mono<ServerResponse> list(ServerRequest request, Operator operator) {
        Instant now = clock.instant();
        return keys.page(AdminIds.merchant(request), AdminIds.after(request))
                .flatMap(page -> AdminResponse.page("keys", page.map(key -> KeyJson.of(key, now))));
    }

    private Mono<ServerResponse> show(ServerRequest request, Operator operator) {
        return keys.key(AdminIds.merchant(request), AdminIds.id(request, ID))
                .flatMap(key -> AdminResponse.ok(KeyJson.of(key, clock.instant())));
    }

    /**
     * {@code {overlap?, expires_at?}}: how many seconds the old key works beside the new one, 24 hours by default, and the expiry of the
     * new key.
     */
    private Mono<ServerResponse> rotate(ServerRequest request, Operator operator, ObjectNode body) {
        UUID merchantId = AdminIds.merchant(request);
        UUID keyId = AdminIds.id(request, ID);
        Fields fields = new Fields(body);
        Long overlap = fields.optionalInteger("overlap", 0, OVERLAP_MAX.toSeconds());
        Instant expiresAt = expiresAt(fields);
        fields.orThrow();
        return keys.rotate(
                        merchantId, keyId, overlap == null ? OVERLAP_DEFAULT : Duration.ofSeconds(overlap), expiresAt)
                .flatMap(this::created);
    }

    private Mono<ServerResponse> revoke(ServerRequest request, Operator operator) {
        return keys.revoke(AdminIds.merchant(request), AdminIds.id(request, ID))
                .then(ServerResponse.noContent().build());
    }

    private Mono<ServerResponse> created(MadeKey made) {
        ApiKey stored = made.stored();
        String path = ALL.replace("{id}", stored.merchantId().toString()) + "/" + stored.id();
        return AdminResponse.created(path, MadeKeyJson.of(made, clock.instant()));
    }

    private static List<String> scopes(Fields fields) {
        List<String> given = requireNonNullElse(fields.optionalStrings("scopes"), List.of());
        if (!SCOPES.containsAll(given)) {
            fields.reject(FieldError.invalid("scopes", "expected only " + SCOPES));
        }
        return (given.isEmpty() ? SCOPES : given).stream().distinct().sorted().toList();
    }

    private @Nullable Instant expiresAt(Fields fields) {
        Instant now = clock.instant();
        return fields.optionalParsed("expires_at", text -> {
            Instant expiresAt = TimeText.parse(text);
            if (!expiresAt.isAfter(now)) {
                throw new IllegalArgumentException("expected a time in the future");
            }
            return expiresAt;
        });
    }

    /** A key without its text. */
    private record KeyJson(
            UUID id,
            @Nullable String name,
            String mode,
            List<String> scopes,
            String status,
            @Nullable Instant expiresAt,
            @Nullable Instant revokedAt,
            @Nullable Instant lastUsedAt,
            @Nullable UUID replaces,
            Instant createdAt) {

        static KeyJson of(ApiKey key, Instant now) {
            String ended = key.revokedAt() == null ? "expired" : "revoked";
            return new KeyJson(
                    key.id(),
                    key.name(),
                    key.mode().code(),
                    key.scopes(),
                    key.isActive(now) ? "active" : ended,
                    key.expiresAt(),
                    key.revokedAt(),
                    key.lastUsedAt(),
                    key.replaces(),
                    key.createdAt());
        }
    }

    /** The only response that shows the key itself, and the key that it replaces. */
    private record MadeKeyJson(
            @JsonUnwrapped KeyJson made,
            String key,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable KeyJson previous) {

        static MadeKeyJson of(MadeKey made, Instant now) {
            ApiKey previous = made.previous();
            return new MadeKeyJson(
                    KeyJson.of(made.stored(), now), made.key(), previous == null ? null : KeyJson.of(previous, now));
        }
    }
}
