package dev.ligeiro.gateway.api.webhook;

import static dev.ligeiro.gateway.api.webhook.EndpointPath.ALL;
import static dev.ligeiro.gateway.api.webhook.EndpointPath.ONE;

import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.Routes;
import dev.ligeiro.gateway.http.auth.Caller;
import dev.ligeiro.gateway.http.response.JsonResponse;
import java.net.URI;
import java.util.List;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ObjectNode;

/** {@code /api/v1/webhooks}: registers, lists and shows the endpoints of a merchant. */
@Component
@Order(4)
class WebhookController implements Routes {

    private final ManageRoutes routes;
    private final RegisterEndpoint register;
    private final EndpointStore store;
    private final EndpointJson json;

    WebhookController(ManageRoutes routes, RegisterEndpoint register, EndpointStore store, EndpointJson json) {
        this.routes = routes;
        this.register = register;
        this.store = store;
        this.json = json;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                routes.postJson(ALL, (request, caller, body) -> create(caller, body)),
                routes.get(ALL, (request, caller) -> list(caller)),
                routes.get(ONE, this::show));
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

    private Mono<ServerResponse> show(ServerRequest request, Caller caller) {
        return store.find(caller.tenant(), EndpointPath.id(request))
                .switchIfEmpty(Mono.error(EndpointPath::notFound))
                .flatMap(endpoint -> JsonResponse.of(HttpStatus.OK, json.one(endpoint)));
    }
}
