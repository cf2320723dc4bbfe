package dev.ligeiro.gateway.api.webhook;

import dev.ligeiro.gateway.http.Access;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.auth.Caller;
import dev.ligeiro.gateway.http.auth.Callers;
import dev.ligeiro.gateway.http.auth.Scope;
import dev.ligeiro.gateway.http.limit.BoundedReads;
import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.util.UUID;
import java.util.function.BiFunction;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import reactor.core.publisher.Mono;

/**
 * Makes the routes for a merchant's webhooks. All of them need the scope {@code webhooks:manage}. A tenant has a few of these requests at
 * a time, because they take MongoDB connections that creates need. Pages are bounded apart, with those of the feed.
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

    public Route get(String path, Route.Handler<Caller> handler) {
        return Route.get(path, manage, bounded(handler));
    }

    /** A {@code GET} of a page of up to a thousand documents. */
    public Route page(String path, Route.Handler<Caller> handler) {
        return Route.get(
                path,
                manage,
                (request, caller) -> bounded.page(caller.tenant(), Mono.defer(() -> handler.handle(request, caller))));
    }

    Route delete(String path, Route.Handler<Caller> handler) {
        return Route.delete(path, manage, bounded(handler));
    }

    /** A {@code POST} that ignores its body. */
    public Route post(String path, Route.Handler<Caller> handler) {
        return Route.post(path, manage, bounded(handler));
    }

    public Route postJson(String path, Route.JsonHandler<Caller> handler) {
        return Route.postJson(
                path,
                manage,
                (request, caller, body) ->
                        bounded.manage(caller.tenant(), Mono.defer(() -> handler.handle(request, caller, body))));
    }

    Route patchJson(String path, Route.JsonHandler<Caller> handler) {
        return Route.patchJson(
                path,
                manage,
                (request, caller, body) ->
                        bounded.manage(caller.tenant(), Mono.defer(() -> handler.handle(request, caller, body))));
    }

    private Route.Handler<Caller> bounded(Route.Handler<Caller> handler) {
        return (request, caller) -> bounded.manage(caller.tenant(), Mono.defer(() -> handler.handle(request, caller)));
    }

    /** The handler of a path that begins with {@link #ONE}: it gets the endpoint. 404 for one that the caller does not have. */
    public Route.Handler<Caller> found(Route.Handler<WebhookEndpoint> handler) {
        return (request, caller) -> endpoint(request, caller).flatMap(endpoint -> handler.handle(request, endpoint));
    }

    /** As the other {@code found}, for a request with a JSON object as its body. */
    public Route.JsonHandler<Caller> found(Route.JsonHandler<WebhookEndpoint> handler) {
        return (request, caller, body) ->
                endpoint(request, caller).flatMap(endpoint -> handler.handle(request, endpoint, body));
    }

    private Mono<WebhookEndpoint> endpoint(ServerRequest request, Caller caller) {
        return find.apply(caller.tenant(), id(request)).switchIfEmpty(Mono.error(EndpointRoutes::notFound));
    }

    /** @throws Problem 404 for a malformed id */
    static UUID id(ServerRequest request) {
        try {
            return Fields.uuid(request.pathVariable("id"));
        } catch (IllegalArgumentException malformed) {
            throw notFound();
        }
    }

    static Problem notFound() {
        return Problem.of(ProblemCode.NOT_FOUND, "You have no webhook endpoint with this id");
    }
}
