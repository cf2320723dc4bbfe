package dev.ligeiro.gateway.api.webhook;

import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.auth.Caller;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.util.function.Function;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/**
 * Makes the routes below {@code /api/v1/webhooks/{id}}. Their handlers get the endpoint; a request for an endpoint that the caller does not
 * have is answered 404.
 */
@Component
public class EndpointRoutes {

    private final ManageRoutes routes;
    private final EndpointStore store;

    EndpointRoutes(ManageRoutes routes, EndpointStore store) {
        this.routes = routes;
        this.store = store;
    }

    /** @param path the part after the endpoint's id */
    public Route get(String path, Route.Handler<WebhookEndpoint> handler) {
        return routes.get(
                EndpointPath.ONE + path,
                (request, caller) -> handle(request, caller, endpoint -> handler.handle(request, endpoint)));
    }

    /** A {@code GET} of a page of up to a thousand documents. */
    public Route page(String path, Route.Handler<WebhookEndpoint> handler) {
        return routes.page(
                EndpointPath.ONE + path,
                (request, caller) -> handle(request, caller, endpoint -> handler.handle(request, endpoint)));
    }

    /** A {@code POST} that ignores its body. */
    public Route post(String path, Route.Handler<WebhookEndpoint> handler) {
        return routes.post(
                EndpointPath.ONE + path,
                (request, caller) -> handle(request, caller, endpoint -> handler.handle(request, endpoint)));
    }

    /** A {@code POST} with a JSON object as its body. */
    public Route postJson(String path, Route.JsonHandler<WebhookEndpoint> handler) {
        return routes.postJson(
                EndpointPath.ONE + path,
                (request, caller, body) ->
                        handle(request, caller, endpoint -> handler.handle(request, endpoint, body)));
    }

    private Mono<ServerResponse> handle(
            ServerRequest request, Caller caller, Function<WebhookEndpoint, Mono<ServerResponse>> handler) {
        return store.find(caller.tenant(), EndpointPath.id(request))
                .switchIfEmpty(Mono.error(EndpointPath::notFound))
                .flatMap(handler);
    }
}
