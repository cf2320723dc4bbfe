package dev.ligeiro.gateway.api.webhook;

import dev.ligeiro.gateway.http.Access;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.auth.Caller;
import dev.ligeiro.gateway.http.auth.Callers;
import dev.ligeiro.gateway.http.auth.Scope;
import dev.ligeiro.gateway.http.limit.BoundedReads;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Makes the routes for a merchant's webhooks. All of them need the scope {@code webhooks:manage}. A tenant has a few of these requests at
 * a time, because they take MongoDB connections that creates need. Pages are bounded apart, with those of the feed.
 */
@Component
class ManageRoutes {

    private final Access<Caller> manage;
    private final BoundedReads bounded;

    @Autowired
    ManageRoutes(Callers callers, BoundedReads bounded) {
        this(callers.with(Scope.WEBHOOKS_MANAGE), bounded);
    }

    ManageRoutes(Access<Caller> manage, BoundedReads bounded) {
        this.manage = manage;
        this.bounded = bounded;
    }

    Route get(String path, Route.Handler<Caller> handler) {
        return Route.get(path, manage, bounded(handler));
    }

    /** A {@code GET} of a page of up to a thousand documents. */
    Route page(String path, Route.Handler<Caller> handler) {
        return Route.get(
                path,
                manage,
                (request, caller) -> bounded.page(caller.tenant(), Mono.defer(() -> handler.handle(request, caller))));
    }

    Route delete(String path, Route.Handler<Caller> handler) {
        return Route.delete(path, manage, bounded(handler));
    }

    /** A {@code POST} that ignores its body. */
    Route post(String path, Route.Handler<Caller> handler) {
        return Route.post(path, manage, bounded(handler));
    }

    Route postJson(String path, Route.JsonHandler<Caller> handler) {
        return Route.postJson(path, manage, bounded(handler));
    }

    Route patchJson(String path, Route.JsonHandler<Caller> handler) {
        return Route.patchJson(path, manage, bounded(handler));
    }

    private Route.Handler<Caller> bounded(Route.Handler<Caller> handler) {
        return (request, caller) -> bounded.manage(caller.tenant(), Mono.defer(() -> handler.handle(request, caller)));
    }

    private Route.JsonHandler<Caller> bounded(Route.JsonHandler<Caller> handler) {
        return (request, caller, body) ->
                bounded.manage(caller.tenant(), Mono.defer(() -> handler.handle(request, caller, body)));
    }
}
