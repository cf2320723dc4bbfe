package dev.ligeiro.gateway.webhook;

import dev.ligeiro.gateway.api.Access;
import dev.ligeiro.gateway.api.Route;
import dev.ligeiro.gateway.auth.Caller;
import dev.ligeiro.gateway.auth.Callers;
import dev.ligeiro.gateway.auth.Scope;
import dev.ligeiro.gateway.limit.BoundedReads;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.util.function.Function;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/**
 * Makes the routes below {@code /api/v1/webhooks/{id}}. Their handlers get the endpoint; a request for an endpoint that the caller does not
 * have is answered 404. A tenant has a few of these requests at a time, because each takes MongoDB connections that creates need.
 */
@Component
public class EndpointRoutes {

    private final Access<Caller> manage;
    private final EndpointStore store;
    private final BoundedReads reads;

    EndpointRoutes(Callers callers, EndpointStore store, BoundedReads reads) {
        this.manage = callers.with(Scope.WEBHOOKS_MANAGE);
        this.store = store;
        this.reads = reads;
    }

    /** @param path the part after the endpoint's id */
    public Route get(String path, Route.Handler<WebhookEndpoint> handler) {
        return Route.get(
                EndpointPath.ONE + path,
                manage,
                (request, caller) -> handle(request, caller, endpoint -> handler.handle(request, endpoint)));
    }

    /** A {@code POST} that ignores its body. */
    public Route post(String path, Route.Handler<WebhookEndpoint> handler) {
        return Route.post(
                EndpointPath.ONE + path,
                manage,
                (request, caller) -> handle(request, caller, endpoint -> handler.handle(request, endpoint)));
    }

    /** A {@code POST} with a JSON object as its body. */
    public Route postJson(String path, Route.JsonHandler<WebhookEndpoint> handler) {
        return Route.postJson(
                EndpointPath.ONE + path,
                manage,
                (request, caller, body) ->
                        handle(request, caller, endpoint -> handler.handle(request, endpoint, body)));
    }

    private Mono<ServerResponse> handle(
            ServerRequest request, Caller caller, Function<WebhookEndpoint, Mono<ServerResponse>> handler) {
        return reads.page(
                caller.tenant(),
                store.find(caller.tenant(), EndpointPath.id(request))
                        .switchIfEmpty(Mono.error(EndpointPath::notFound))
                        .flatMap(handler));
    }
}
