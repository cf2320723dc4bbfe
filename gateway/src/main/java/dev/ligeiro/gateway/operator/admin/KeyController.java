package dev.ligeiro.gateway.operator.admin;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.auth.Callers;
import dev.ligeiro.gateway.http.auth.KeyStore;
import dev.ligeiro.gateway.http.problem.FieldError;
import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.gateway.http.request.QueryParameters;
import dev.ligeiro.gateway.store.merchant.MerchantStore;
import dev.ligeiro.merchant.ApiKey;
import dev.ligeiro.merchant.Scope;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.UuidV7;
import dev.ligeiro.view.TimeText;
import dev.ligeiro.webhook.AllowedNetworks;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code /admin/merchants/{id}/keys}: makes, lists, shows, rotates and revokes the API keys of a merchant. Only its hash is stored, so a key
 * is known only from the response that makes it. A change takes effect on this gateway at once, on others within 5 seconds.
 */
@Component
class KeyController implements ManagementRoutes {

    private static final String ALL = "/admin/merchants/{id}/keys";
    private static final String ID = "key_id";
    private static final String ONE = ALL + "/{" + ID + "}";
    private static final int NAME_MAX = 100;
    private static final int NETWORKS_MAX = 50;
    private static final Pattern HASH = Pattern.compile("[0-9a-fA-F]{64}");
    private static final List<String> SCOPES =
            Arrays.stream(Scope.values()).map(Scope::code).toList();
    /** Of a key made without scopes: it reads, and creates what brings money in. */
    private static final List<String> DEFAULT_SCOPES =
            List.of(Scope.CASHINS_WRITE.code(), Scope.STATEMENT_READ.code(), Scope.TRANSACTIONS_READ.code());

    private static final Duration OVERLAP_DEFAULT = Duration.ofHours(24);
    private static final Duration OVERLAP_MAX = Duration.ofDays(30);

    private final AdminRoutes routes;
    private final KeyStore store;
    private final MerchantStore merchants;
    private final MerchantNames names;
    private final Callers callers;
    private final Clock clock;

    KeyController(
            AdminRoutes routes,
            KeyStore store,
            MerchantStore merchants,
            MerchantNames names,
            Callers callers,
            Clock clock) {
        this.routes = routes;
        this.store = store;
        this.merchants = merchants;
        this.names = names;
        this.callers = callers;
        this.clock = clock;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                routes.postJsonByBody(ALL, this::create),
                routes.get(ALL, this::list),
                routes.get(ONE, this::show),
                routes.postJsonByBody(ONE + "/rotate", this::rotate),
                routes.putJsonByBody(ONE + "/networks", this::setNetworks),
                routes.delete(ONE, this::revoke),
                routes.get("/admin/keys", this::find));
    }

    /**
     * {@code {mode, name?, scopes?, allowed_networks?, expires_at?}}. Without scopes, the key reads and creates cashins; without networks, it
     * works from everywhere; without an expiry, for ever.
     */
    private Mono<ServerResponse> create(ServerRequest request, Operator operator, ObjectNode body) {
        UUID merchantId = AdminRoutes.merchantId(request);
        Fields fields = new Fields(body);
        Mode mode = MerchantFields.mode(fields);
        String name = fields.optionalText("name", NAME_MAX);
        List<String> scopes = scopes(fields);
        List<String> networks = networks(fields);
        Instant expiresAt = expiresAt(fields);
        fields.orThrow();
        String key = ApiKey.generate(requireNonNull(mode));
        ApiKey made = new ApiKey(
                newId(),
                ApiKey.hash(key),
                ApiKey.start(key),
                merchantId,
                name,
                mode,
                scopes,
                networks,
                expiresAt,
                null,
                null,
                null,
                null,
                null,
                now());
        requireMayGive(operator, made);
        return requireMerchant(merchantId).then(store.insert(made)).then(Mono.defer(() -> created(made, key, null)));
    }

    private Mono<ServerResponse> list(ServerRequest request, Operator operator) {
        UUID merchantId = AdminRoutes.merchantId(request);
        Instant now = now();
        return requireMerchant(merchantId)
                .then(store.keys(merchantId, AdminPage.after(request), AdminPage.ITEMS_MAX + 1))
                .map(found -> AdminPage.of(found, ApiKey::id).map(key -> KeyJson.of(key, now)))
                .flatMap(page -> AdminResponse.page("keys", page));
    }

    /** {@code ?hash=}: the SHA-256 of a key in hex. {@code ?prefix=}: the beginning of one; of all merchants, the newest first. */
    private Mono<ServerResponse> find(ServerRequest request, Operator operator) {
        QueryParameters given = new QueryParameters(request.queryParams(), Set.of("hash", "prefix", "after"));
        String hash = given.parsed("hash", KeyController::hash);
        ApiKey.Beginning prefix = given.parsed("prefix", ApiKey.Beginning::parse);
        UUID after = given.parsed("after", Fields::uuid);
        if (!request.queryParams().containsKey("hash") == !request.queryParams().containsKey("prefix")) {
            given.reject("hash", "expected either hash or prefix");
        }
        given.orThrow();
        Instant now = now();
        return (prefix == null
                        ? store.withHash(requireNonNull(hash))
                        : store.beginningWith(prefix, after, AdminPage.ITEMS_MAX + 1))
                .map(found -> AdminPage.of(found, ApiKey::id))
                .flatMap(page -> names.ofIds(
                        page, ApiKey::merchantId, (key, merchant) -> new FoundKeyJson(merchant, KeyJson.of(key, now))))
                .flatMap(page -> AdminResponse.page("keys", page));
    }

    private static String hash(String text) {
        if (!HASH.matcher(text).matches()) {
            throw new IllegalArgumentException("expected a SHA-256 in hex, which infra/admin keys find makes of a key");
        }
        return text.toLowerCase(Locale.ROOT);
    }

    private Mono<ServerResponse> show(ServerRequest request, Operator operator) {
        return key(request).flatMap(key -> AdminResponse.ok(KeyJson.of(key, now())));
    }

    /**
     * {@code {overlap?, expires_at?}}: makes a key in place of an active one, which goes on working for so many seconds, 24 hours by default.
     * Without an expiry of its own, the new key has the lifetime of the old one. Fails with 409 when the key is revoked or expired. A failed
     * rotation changes nothing; if only its response was lost, a further rotation of the same key makes another new key.
     */
    private Mono<ServerResponse> rotate(ServerRequest request, Operator operator, ObjectNode body) {
        Fields fields = new Fields(body);
        Long overlap = fields.optionalInteger("overlap", 0, OVERLAP_MAX.toSeconds());
        Instant expiresAt = expiresAt(fields);
        Mono<ApiKey> found = key(request);
        fields.orThrow();
        return found.doOnNext(old -> requireMayGive(operator, old))
                .flatMap(
                        old -> rotate(old, overlap == null ? OVERLAP_DEFAULT : Duration.ofSeconds(overlap), expiresAt));
    }

    private Mono<ServerResponse> rotate(ApiKey old, Duration overlap, @Nullable Instant expiresAt) {
        Instant now = now();
        if (!old.isActive(now)) {
            throw notActive();
        }
        String key = ApiKey.generate(old.mode());
        ApiKey next = old.rotated(newId(), key, expiresAt, now);
        ApiKey previous = old.rotatedUntil(now.plus(overlap), now);
        return store.replace(previous, next)
                .filter(Boolean::booleanValue)
                .switchIfEmpty(Mono.error(KeyController::notActive))
                .doOnNext(done -> callers.changed())
                .flatMap(done -> created(next, key, previous));
    }

    /** {@code {allowed_networks?}}: from where the key works; without them, from everywhere. */
    private Mono<ServerResponse> setNetworks(ServerRequest request, Operator operator, ObjectNode body) {
        Fields fields = new Fields(body);
        List<String> networks = networks(fields);
        fields.orThrow();
        return key(request)
                .doOnNext(key -> requireMayAllow(operator, key, networks))
                .then(store.setNetworks(AdminRoutes.merchantId(request), AdminRoutes.id(request, ID), networks))
                .filter(Boolean::booleanValue)
                .switchIfEmpty(Mono.error(AdminRoutes::notFound))
                .doOnNext(done -> callers.changed())
                .then(Mono.defer(() -> show(request, operator)));
    }

    private Mono<ServerResponse> revoke(ServerRequest request, Operator operator) {
        return store.revoke(AdminRoutes.merchantId(request), AdminRoutes.id(request, ID), now())
                .filter(Boolean::booleanValue)
                .switchIfEmpty(Mono.error(AdminRoutes::notFound))
                .doOnNext(done -> callers.changed())
                .then(ServerResponse.noContent().build());
    }

    private Mono<ServerResponse> created(ApiKey made, String key, @Nullable ApiKey previous) {
        Instant now = now();
        String path = ALL.replace("{id}", made.merchantId().toString()) + "/" + made.id();
        return AdminResponse.created(
                path, new MadeKeyJson(KeyJson.of(made, now), key, previous == null ? null : KeyJson.of(previous, now)));
    }

    /** @throws Problem 403 */
    private static void requireMayGive(Operator operator, ApiKey key) {
        operator.require(key.paysOut() ? Role.MONEY : Role.OPERATE);
    }

    /** Some of the networks that it has are no more than before. */
    private static void requireMayAllow(Operator operator, ApiKey key, @Nullable List<String> networks) {
        List<String> before = key.networks();
        boolean isWider = before != null && (networks == null || !before.containsAll(networks));
        operator.require(isWider && key.paysOut() ? Role.MONEY : Role.OPERATE);
    }

    private Mono<ApiKey> key(ServerRequest request) {
        return store.key(AdminRoutes.merchantId(request), AdminRoutes.id(request, ID))
                .switchIfEmpty(Mono.error(AdminRoutes::notFound));
    }

    private Mono<Void> requireMerchant(UUID merchantId) {
        return merchants
                .merchant(merchantId)
                .switchIfEmpty(Mono.error(AdminRoutes::notFound))
                .then();
    }

    private static Problem notActive() {
        return Problem.of(ProblemCode.KEY_NOT_ACTIVE, "Make a new key instead");
    }

    private UUID newId() {
        return UuidV7.at(clock.millis());
    }

    /** In milliseconds, as MongoDB stores it. */
    private Instant now() {
        return Instant.ofEpochMilli(clock.millis());
    }

    private static List<String> scopes(Fields fields) {
        List<String> given = fields.optionalStrings("scopes");
        if (given == null || given.isEmpty()) {
            return DEFAULT_SCOPES;
        }
        if (!SCOPES.containsAll(given)) {
            fields.reject(FieldError.invalid("scopes", "expected only " + SCOPES));
        }
        return given.stream().distinct().sorted().toList();
    }

    /** In their normal form; null for everywhere. */
    private static @Nullable List<String> networks(Fields fields) {
        List<String> given = fields.optionalStrings("allowed_networks");
        if (given == null || given.isEmpty()) {
            return null;
        }
        if (given.size() > NETWORKS_MAX) {
            return fields.error(FieldError.invalid("allowed_networks", "expected at most " + NETWORKS_MAX));
        }
        if (given.stream().anyMatch(String::isBlank)) {
            return fields.error(FieldError.invalid("allowed_networks", "expected no empty entry"));
        }
        try {
            return AllowedNetworks.parse("allowed_networks", given).networks().stream()
                    .map(Object::toString)
                    .distinct()
                    .toList();
        } catch (IllegalArgumentException malformed) {
            return fields.error(FieldError.invalid("allowed_networks", String.valueOf(malformed.getMessage())));
        }
    }

    private @Nullable Instant expiresAt(Fields fields) {
        Instant now = clock.instant();
        fields.refuseEmpty("expires_at");
        return fields.optionalParsed("expires_at", text -> {
            Instant expiresAt = TimeText.parse(text);
            if (!expiresAt.isAfter(now)) {
                throw new IllegalArgumentException("expected a time in the future");
            }
            return expiresAt;
        });
    }

    private record FoundKeyJson(@JsonUnwrapped NamedMerchant merchant, @JsonUnwrapped KeyJson key) {}

    /** A key without its text. */
    private record KeyJson(
            UUID id,
            String prefix,
            @Nullable String name,
            Mode mode,
            List<String> scopes,
            @Nullable List<String> allowedNetworks,
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
                    key.prefix(),
                    key.name(),
                    key.mode(),
                    key.scopes(),
                    key.networks(),
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
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable KeyJson previous) {}
}
