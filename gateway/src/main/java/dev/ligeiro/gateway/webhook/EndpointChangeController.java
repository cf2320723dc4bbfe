package dev.ligeiro.gateway.webhook;

import dev.ligeiro.gateway.api.Access;
import dev.ligeiro.gateway.api.Route;
import dev.ligeiro.gateway.api.Routes;
import dev.ligeiro.gateway.auth.Caller;
import dev.ligeiro.gateway.auth.Callers;
import dev.ligeiro.gateway.auth.Scope;
import dev.ligeiro.gateway.http.JsonResponse;
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

    private final Callers callers;
    private final PatchEndpoint patch;
    private final RotateSecret rotate;
    private final EndpointJson json;

    EndpointChangeController(Callers callers, PatchEndpoint patch, RotateSecret rotate, EndpointJson json) {
        this.callers = callers;
        this.patch = patch;
        this.rotate = rotate;
        this.json = json;
    }

    @Override
    public List<Route> routes() {
        Access<Caller> manage = callers.with(Scope.WEBHOOKS_MANAGE);
        return List.of(
                Route.patchJson(EndpointPath.ONE, manage, this::patch),
                Route.post(EndpointPath.ONE + "/rotate-secret", manage, this::rotate));
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
