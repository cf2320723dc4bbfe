package dev.ligeiro.gateway.operator.webhook;

import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.response.JsonResponse;
import dev.ligeiro.gateway.operator.admin.AdminRoutes;
import dev.ligeiro.gateway.operator.admin.Operator;
import dev.ligeiro.webhook.AllowedNetworks;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** {@code GET /admin/webhook-networks}: the internal networks that webhooks may call. They are a setting of the installation. */
final class NetworksApi {

    private final AdminRoutes routes;
    private final AllowedNetworks allowed;

    NetworksApi(AdminRoutes routes, AllowedNetworks allowed) {
        this.routes = routes;
        this.allowed = allowed;
    }

    List<Route> routes() {
        return List.of(routes.get("/admin/webhook-networks", this::list));
    }

    private Mono<ServerResponse> list(ServerRequest request, Operator operator) {
        return JsonResponse.of(HttpStatus.OK, JsonResponse.object(json -> {
            json.writeArrayPropertyStart("networks");
            allowed.networks().forEach(network -> json.writeString(network.toString()));
            json.writeEndArray();
        }));
    }
}
