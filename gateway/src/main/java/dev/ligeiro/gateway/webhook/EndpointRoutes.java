package dev.ligeiro.gateway.webhook;

import dev.ligeiro.gateway.api.Access;
import dev.ligeiro.gateway.api.Route;
import dev.ligeiro.gateway.auth.Caller;
import dev.ligeiro.gateway.auth.Callers;
import dev.ligeiro.gateway.auth.Scope;
import dev.ligeiro.gateway.limit.BoundedReads;
import dev.ligeiro.webhook.WebhookEndpoint;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import reactor.core.publisher.Mono;

/**
 * Makes the routes below {@code /api/v1/webhooks/{id}}. Their handlers get the endpoint; a request for an endpoint that the caller does not
 * have is answered 404.
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
        return Route.get(EndpointPath.ONE + path, manage, (request, caller) -> find(request, caller)
                .flatMap(endpoint -> handler.handle(request, endpoint)));
    }

    /** A {@code GET} that reads up to 1,000 documents. A tenant has a few of them at a time. */
    public Route getPage(String path, Route.Handler<WebhookEndpoint> handler) {
        return get(path, (request, endpoint) -> reads.page(endpoint.tenant(), handler.handle(request, endpoint)));
    }

    /** A {@code POST} that ignores its body. */
    public Route post(String path, Route.Handler<WebhookEndpoint> handler) {
        return Route.post(EndpointPath.ONE + path, manage, (request, caller) -> find(request, caller)
                .flatMap(endpoint -> handler.handle(request, endpoint)));
    }

    /** A {@code POST} with a JSON object as its body. */
    public Route postJson(String path, Route.JsonHandler<WebhookEndpoint> handler) {
        return Route.postJson(EndpointPath.ONE + path, manage, (request, caller, body) -> find(request, caller)
                .flatMap(endpoint -> handler.handle(request, endpoint, body)));
    }

    private Mono<WebhookEndpoint> find(ServerRequest request, Caller caller) {
        return store.find(caller.tenant(), EndpointPath.id(request)).switchIfEmpty(Mono.error(EndpointPath::notFound));
    }
}
