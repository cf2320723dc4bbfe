package dev.ligeiro.gateway.api.webhook;

import dev.ligeiro.gateway.http.Access;
import dev.ligeiro.gateway.http.Request;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.Route.Body;
import dev.ligeiro.gateway.http.auth.Caller;
import dev.ligeiro.gateway.http.auth.Callers;
import dev.ligeiro.gateway.http.limit.BoundedReads;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.merchant.Scope;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.util.UUID;
import java.util.function.BiFunction;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpMethod;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Who may call the routes of a merchant's webhooks: keys with the scope {@code webhooks:manage}. A tenant has a few of these requests at a
 * time, because they take MongoDB connections that creates need. Pages are bounded apart, with those of the feed.
 */
@Component
public class EndpointRoutes {

    public static final String ALL = "/api/v1/webhooks";
    public static final String ONE = ALL + "/{id}";

    private final Access<Caller> manage;
    private final BoundedReads bounded;
    private final BiFunction<Tenant, UUID, Mono<WebhookEndpoint>> find;

    @Autowired
    EndpointRoutes(Callers callers, BoundedReads bounded, RegisteredEndpointStore store) {
        this(callers.with(Scope.WEBHOOKS_MANAGE), bounded, store::find);
    }

    EndpointRoutes(Access<Caller> manage, BoundedReads bounded, BiFunction<Tenant, UUID, Mono<WebhookEndpoint>> find) {
        this.manage = manage;
        this.bounded = bounded;
        this.find = find;
    }

    /** A {@code GET} of a few documents. */
    public Route get(String path, Route.Handler<Caller> handler) {
        return Route.get(path, manage, bounded(handler));
    }

    /** A {@code GET} of up to a thousand documents. */
    public Route page(String path, Route.Handler<Caller> handler) {
        return Route.get(
                path,
                manage,
                request -> bounded.page(request.caller().tenant(), Mono.defer(() -> handler.handle(request))));
    }

    Route delete(String path, Route.Handler<Caller> handler) {
        return Route.delete(path, manage, bounded(handler));
    }

    public Route of(HttpMethod method, String path, Body body, Route.Handler<Caller> handler) {
        return Route.of(method, path, manage, body, bounded(handler));
    }

    private Route.Handler<Caller> bounded(Route.Handler<Caller> handler) {
        return request -> bounded.manage(request.caller().tenant(), Mono.defer(() -> handler.handle(request)));
    }

    /** The handler of a path that begins with {@link #ONE}: it gets the endpoint. 404 for one that the caller does not have. */
    public Route.Handler<Caller> found(Route.Handler<WebhookEndpoint> handler) {
        return request -> find.apply(request.caller().tenant(), id(request))
                .switchIfEmpty(Mono.error(EndpointRoutes::notFound))
                .flatMap(endpoint -> handler.handle(request.about(endpoint)));
    }

    /** @throws Problem 404 for a malformed id */
    static UUID id(Request<?> request) {
        return request.variable("id", Fields::uuid, EndpointRoutes::notFound);
    }

    static Problem notFound() {
        return Problem.notFound("You have no webhook endpoint with this id");
    }
}
