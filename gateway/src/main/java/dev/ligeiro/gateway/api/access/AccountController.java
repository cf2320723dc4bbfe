package dev.ligeiro.gateway.api.access;

import dev.ligeiro.gateway.http.Request;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.Routes;
import dev.ligeiro.gateway.http.auth.Caller;
import dev.ligeiro.gateway.http.auth.Callers;
import dev.ligeiro.gateway.http.auth.KeyStore;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.gateway.http.request.QueryParameters;
import dev.ligeiro.gateway.http.response.JsonResponse;
import dev.ligeiro.gateway.http.response.Page;
import dev.ligeiro.gateway.store.MerchantStore;
import dev.ligeiro.merchant.ApiKey;
import dev.ligeiro.merchant.Merchant;
import dev.ligeiro.merchant.Scope;
import dev.ligeiro.view.Timestamps;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** {@code GET /api/v1/keys} and {@code /api/v1/platforms}: the keys and platforms of a merchant in the mode of the request's key. */
@Component
@Order(6)
class AccountController implements Routes {

    private final Callers callers;
    private final KeyStore keys;
    private final MerchantStore merchants;
    private final Timestamps timestamps;
    private final Clock clock;

    AccountController(Callers callers, KeyStore keys, MerchantStore merchants, Timestamps timestamps, Clock clock) {
        this.callers = callers;
        this.keys = keys;
        this.merchants = merchants;
        this.timestamps = timestamps;
        this.clock = clock;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                Route.get("/api/v1/keys", callers.with(Scope.TRANSACTIONS_READ), this::keys),
                Route.get("/api/v1/platforms", callers.any(), this::platforms));
    }

    private Mono<ServerResponse> keys(Request<Caller> request) {
        Caller caller = request.caller();
        QueryParameters given = new QueryParameters(request.queryParams(), Set.of("after"));
        UUID after = given.parsed("after", Fields::uuid);
        given.orThrow();
        return keys.key(caller.keyId())
                .flatMap(own -> keys.keys(own.merchantId(), own.mode(), after, Page.ITEMS_MAX + 1))
                .defaultIfEmpty(List.of())
                .flatMap(found -> JsonResponse.of(HttpStatus.OK, json(found, caller.keyId())));
    }

    /** Never the keys themselves nor their hashes, but how they begin. */
    private byte[] json(List<ApiKey> found, UUID own) {
        Instant now = clock.instant();
        return Page.of(found, key -> key.id().toString()).json("keys", (json, key) -> {
            json.writeStringProperty("id", key.id().toString());
            json.writeStringProperty("name", key.name() == null ? "" : key.name());
            json.writeStringProperty("prefix", key.prefix());
            JsonResponse.strings(json, "scopes", key.scopes());
            JsonResponse.strings(json, "allowed_networks", key.networks() == null ? List.of() : key.networks());
            json.writeStringProperty(
                    "status", key.isActive(now) ? "active" : key.revokedAt() == null ? "expired" : "revoked");
            json.writeBooleanProperty("is_yours", key.id().equals(own));
            json.writeStringProperty("last_used_at", timestamps.orEmpty(key.lastUsedAt()));
            json.writeStringProperty("expires_at", timestamps.orEmpty(key.expiresAt()));
            json.writeStringProperty("date_created", timestamps.format(key.createdAt()));
        });
    }

    private Mono<ServerResponse> platforms(Request<Caller> request) {
        Caller caller = request.caller();
        new QueryParameters(request.queryParams(), Set.of()).orThrow();
        return keys.key(caller.keyId())
                .flatMap(own -> merchants.merchant(own.merchantId()))
                .map(Merchant::platforms)
                .defaultIfEmpty(List.of())
                .map(platforms -> platforms.stream()
                        .filter(each -> each.mode() == caller.tenant().mode())
                        .toList())
                .map(own -> Page.all(own).json("platforms", (json, platform) -> {
                    json.writeStringProperty("id", platform.id().toString());
                    json.writeStringProperty("name", platform.name());
                }))
                .flatMap(json -> JsonResponse.of(HttpStatus.OK, json));
    }
}
