package dev.ligeiro.gateway.api.access;

import dev.ligeiro.gateway.http.GatewayProperties;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.Routes;
import dev.ligeiro.gateway.http.auth.Caller;
import dev.ligeiro.gateway.http.auth.Callers;
import dev.ligeiro.gateway.http.auth.KeyStore;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.gateway.http.request.QueryParameters;
import dev.ligeiro.gateway.http.response.JsonResponse;
import dev.ligeiro.merchant.ApiKey;
import dev.ligeiro.merchant.Scope;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.view.Timestamps;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.core.JsonGenerator;

/** {@code GET /api/v1/keys}: the merchant's API keys in the mode of the request's key, never the keys themselves nor their hashes, but how they begin. */
@Component
@Order(6)
class KeyListController implements Routes {

    private static final int PAGE = 100;

    private final Callers callers;
    private final KeyStore keys;
    private final Timestamps timestamps;
    private final Clock clock;

    KeyListController(Callers callers, KeyStore keys, GatewayProperties properties, Clock clock) {
        this.callers = callers;
        this.keys = keys;
        this.timestamps = new Timestamps(properties.timeZone());
        this.clock = clock;
    }

    @Override
    public List<Route> routes() {
        return List.of(Route.get("/api/v1/keys", callers.with(Scope.TRANSACTIONS_READ), this::list));
    }

    private Mono<ServerResponse> list(ServerRequest request, Caller caller) {
        QueryParameters given = new QueryParameters(request.queryParams(), Set.of("after"));
        UUID after = given.parsed("after", Fields::uuid);
        given.orThrow();
        Mode mode = caller.tenant().mode();
        return keys.key(caller.keyId())
                .flatMap(own -> keys.keys(own.merchantId(), mode, after, PAGE + 1))
                .defaultIfEmpty(List.of())
                .flatMap(found -> JsonResponse.of(HttpStatus.OK, json(found, caller.keyId())));
    }

    private byte[] json(List<ApiKey> found, UUID own) {
        Instant now = clock.instant();
        List<ApiKey> page = found.subList(0, Math.min(PAGE, found.size()));
        return JsonResponse.object(json -> {
            json.writeArrayPropertyStart("keys");
            page.forEach(key -> write(json, key, own, now));
            json.writeEndArray();
            json.writeStringProperty(
                    "next_cursor", found.size() > PAGE ? page.get(PAGE - 1).id().toString() : null);
        });
    }

    private void write(JsonGenerator json, ApiKey key, UUID own, Instant now) {
        json.writeStartObject();
        json.writeStringProperty("id", key.id().toString());
        json.writeStringProperty("name", key.name() == null ? "" : key.name());
        json.writeStringProperty("prefix", key.prefix());
        writeAll(json, "scopes", key.scopes());
        writeAll(json, "allowed_networks", key.networks() == null ? List.of() : key.networks());
        json.writeStringProperty(
                "status", key.isActive(now) ? "active" : key.revokedAt() == null ? "expired" : "revoked");
        json.writeBooleanProperty("is_yours", key.id().equals(own));
        json.writeStringProperty("last_used_at", time(key.lastUsedAt()));
        json.writeStringProperty("expires_at", time(key.expiresAt()));
        json.writeStringProperty("date_created", timestamps.format(key.createdAt()));
        json.writeEndObject();
    }

    private static void writeAll(JsonGenerator json, String name, List<String> values) {
        json.writeArrayPropertyStart(name);
        values.forEach(json::writeString);
        json.writeEndArray();
    }

    private String time(@Nullable Instant at) {
        return at == null ? "" : timestamps.format(at);
    }
}
