package dev.ligeiro.gateway.api.access;

import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.Routes;
import dev.ligeiro.gateway.http.auth.Caller;
import dev.ligeiro.gateway.http.auth.Callers;
import dev.ligeiro.gateway.http.auth.KeyStore;
import dev.ligeiro.gateway.http.request.QueryParameters;
import dev.ligeiro.gateway.http.response.JsonResponse;
import dev.ligeiro.gateway.store.merchant.MerchantStore;
import dev.ligeiro.merchant.Merchant;
import java.util.List;
import java.util.Set;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** {@code GET /api/v1/platforms}: the platforms that creates with the request's key may name. Any key may ask. */
@Component
@Order(6)
class PlatformListController implements Routes {

    private final Callers callers;
    private final KeyStore keys;
    private final MerchantStore merchants;

    PlatformListController(Callers callers, KeyStore keys, MerchantStore merchants) {
        this.callers = callers;
        this.keys = keys;
        this.merchants = merchants;
    }

    @Override
    public List<Route> routes() {
        return List.of(Route.get("/api/v1/platforms", callers.any(), this::list));
    }

    private Mono<ServerResponse> list(ServerRequest request, Caller caller) {
        new QueryParameters(request.queryParams(), Set.of()).orThrow();
        return keys.key(caller.keyId())
                .flatMap(own -> merchants.merchant(own.merchantId()))
                .map(Merchant::platforms)
                .defaultIfEmpty(List.of())
                .flatMap(platforms -> JsonResponse.of(HttpStatus.OK, json(platforms, caller)));
    }

    private static byte[] json(List<Merchant.Platform> platforms, Caller caller) {
        return JsonResponse.object(json -> {
            json.writeArrayPropertyStart("platforms");
            platforms.stream()
                    .filter(platform -> platform.mode() == caller.tenant().mode())
                    .forEach(platform -> {
                        json.writeStartObject();
                        json.writeStringProperty("id", platform.id().toString());
                        json.writeStringProperty("name", platform.name());
                        json.writeEndObject();
                    });
            json.writeEndArray();
            json.writeNullProperty("next_cursor");
        });
    }
}
