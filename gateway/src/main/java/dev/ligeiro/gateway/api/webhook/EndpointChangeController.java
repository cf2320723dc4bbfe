package dev.ligeiro.gateway.api.webhook;

import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.Routes;
import dev.ligeiro.gateway.http.auth.Caller;
import dev.ligeiro.gateway.http.response.JsonResponse;
import java.util.List;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ObjectNode;

/** {@code PATCH /api/v1/webhooks/{id}} and {@code POST /api/v1/webhooks/{id}/rotate-secret}. */
@Component
@Order(4)
class EndpointChangeController implements Routes {

    private final ManageRoutes routes;
    private final PatchEndpoint patch;
    private final RotateSecret rotate;
    private final EndpointJson json;

    EndpointChangeController(ManageRoutes routes, PatchEndpoint patch, RotateSecret rotate, EndpointJson json) {
        this.routes = routes;
        this.patch = patch;
        this.rotate = rotate;
        this.json = json;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                routes.patchJson(EndpointPath.ONE, this::patch),
                routes.post(EndpointPath.ONE + "/rotate-secret", this::rotate));
    }

    private Mono<ServerResponse> patch(ServerRequest request, Caller caller, ObjectNode body) {
        return patch.patch(caller.tenant(), EndpointPath.id(request), body)
                .switchIfEmpty(Mono.error(EndpointPath::notFound))
                .flatMap(changed -> JsonResponse.of(HttpStatus.OK, json.one(changed)));
    }

    private Mono<ServerResponse> rotate(ServerRequest request, Caller caller) {
        return rotate.rotate(caller.tenant(), EndpointPath.id(request))
                .switchIfEmpty(Mono.error(EndpointPath::notFound))
                .flatMap(rotated -> JsonResponse.of(HttpStatus.OK, json.rotated(rotated)));
    }
}
