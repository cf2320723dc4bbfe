package dev.ligeiro.gateway.api.webhook;

import static dev.ligeiro.gateway.api.webhook.EndpointRoutes.ALL;
import static dev.ligeiro.gateway.api.webhook.EndpointRoutes.ONE;

import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.Routes;
import dev.ligeiro.gateway.http.auth.Caller;
import dev.ligeiro.gateway.http.response.JsonResponse;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.net.URI;
import java.util.List;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ObjectNode;

/** {@code /api/v1/webhooks}: registers, lists, shows, changes and deletes the endpoints of a merchant, and rotates their secrets. */
@Component
@Order(4)
class EndpointController implements Routes {

    private final EndpointRoutes routes;
    private final RegisterEndpoint register;
    private final ChangeEndpoint change;
    private final RotateSecret rotate;
    private final RegisteredEndpointStore store;
    private final EndpointJson json;

    EndpointController(
            EndpointRoutes routes,
            RegisterEndpoint register,
            ChangeEndpoint change,
            RotateSecret rotate,
            RegisteredEndpointStore store,
            EndpointJson json) {
        this.routes = routes;
        this.register = register;
        this.change = change;
        this.rotate = rotate;
        this.store = store;
        this.json = json;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                routes.postJson(ALL, (request, caller, body) -> create(caller, body)),
                routes.get(ALL, (request, caller) -> list(caller)),
                routes.get(ONE, routes.found(this::show)),
                routes.patchJson(ONE, this::patch),
                routes.post(ONE + "/rotate-secret", this::rotate),
                routes.delete(ONE, this::delete));
    }

    private Mono<ServerResponse> create(Caller caller, ObjectNode body) {
        return register.register(caller.tenant(), body)
                .flatMap(registered -> JsonResponse.of(
                        ServerResponse.created(
                                URI.create(ALL + "/" + registered.endpoint().id())),
                        json.registered(registered)));
    }

    private Mono<ServerResponse> list(Caller caller) {
        return store.all(caller.tenant())
                .collectList()
                .flatMap(endpoints -> JsonResponse.of(HttpStatus.OK, json.all(endpoints)));
    }

    private Mono<ServerResponse> show(ServerRequest request, WebhookEndpoint endpoint) {
        return JsonResponse.of(HttpStatus.OK, json.one(endpoint));
    }

    private Mono<ServerResponse> patch(ServerRequest request, Caller caller, ObjectNode body) {
        return change.patch(caller.tenant(), EndpointRoutes.id(request), body)
                .switchIfEmpty(Mono.error(EndpointRoutes::notFound))
                .flatMap(changed -> JsonResponse.of(HttpStatus.OK, json.one(changed)));
    }

    private Mono<ServerResponse> rotate(ServerRequest request, Caller caller) {
        return rotate.rotate(caller.tenant(), EndpointRoutes.id(request))
                .switchIfEmpty(Mono.error(EndpointRoutes::notFound))
                .flatMap(rotated -> JsonResponse.of(HttpStatus.OK, json.rotated(rotated)));
    }

    private Mono<ServerResponse> delete(ServerRequest request, Caller caller) {
        return change.delete(caller.tenant(), EndpointRoutes.id(request))
                .filter(Boolean::booleanValue)
                .switchIfEmpty(Mono.error(EndpointRoutes::notFound))
                .flatMap(deleted -> ServerResponse.noContent().build());
    }
}
