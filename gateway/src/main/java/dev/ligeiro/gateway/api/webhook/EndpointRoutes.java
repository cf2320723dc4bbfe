package dev.ligeiro.gateway.api.webhook;

import dev.ligeiro.gateway.http.Request;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.Route.Access;
import dev.ligeiro.gateway.http.Route.Body;
import dev.ligeiro.gateway.http.auth.Caller;
import dev.ligeiro.gateway.http.auth.Callers;
import dev.ligeiro.gateway.http.limit.BoundedReads;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.merchant.Scope;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.transaction.Requester;
import dev.ligeiro.transaction.UuidV7;
import dev.ligeiro.webhook.EndpointChange;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpMethod;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/**
 * The routes of a merchant's webhooks. Keys with the scope {@code webhooks:manage} may call them. A tenant has a few of these requests at a
 * time, because they take MongoDB connections that creates need. Pages are bounded apart, with those of the feed.
 */
@Component
class EndpointRoutes {

    static final String ALL = "/api/v1/webhooks";
    static final String ONE = ALL + "/{id}";

    private static final Logger LOG = LoggerFactory.getLogger(EndpointRoutes.class);

    private final Access<Caller> manage;
    private final BoundedReads bounded;
    private final RegisteredEndpointStore store;
    private final Clock clock;

    EndpointRoutes(Callers callers, BoundedReads bounded, RegisteredEndpointStore store, Clock clock) {
        this.manage = callers.with(Scope.WEBHOOKS_MANAGE);
        this.bounded = bounded;
        this.store = store;
        this.clock = clock;
    }

    Route get(String path, Route.Handler<Caller> handler) {
        return Route.get(path, manage, bounded(handler));
    }

    /** A {@code GET} of up to a thousand documents. */
    Route page(String path, Route.Handler<Caller> handler) {
        return Route.get(
                path,
                manage,
                request -> bounded.page(request.caller().tenant(), Mono.defer(() -> handler.handle(request))));
    }

    /**
     * A route that changes something, which is stored as done by the key: after the change, so only what succeeded. If that fails, the
     * response goes out all the same, because it may have a secret that no later one shows; then the log line says who did it.
     */
    Route change(HttpMethod method, String path, Body body, String what, Route.Handler<Caller> handler) {
        return Route.of(method, path, manage, body, storing(what, handler));
    }

    Route delete(String path, Route.Handler<Caller> handler) {
        return Route.delete(path, manage, storing("delete", handler));
    }

    private Route.Handler<Caller> storing(String what, Route.Handler<Caller> handler) {
        return bounded(request -> handler.handle(request).delayUntil(response -> store(what, request, response)));
    }

    private Route.Handler<Caller> bounded(Route.Handler<Caller> handler) {
        return request -> bounded.manage(request.caller().tenant(), Mono.defer(() -> handler.handle(request)));
    }

    private Mono<Void> store(String what, Request<Caller> request, ServerResponse response) {
        URI made = response.headers().getLocation();
        UUID endpoint = request.http().pathVariables().containsKey("id") || made == null
                ? id(request)
                : UUID.fromString(made.getPath().substring(made.getPath().lastIndexOf('/') + 1));
        Instant now = Instant.ofEpochMilli(clock.millis());
        Requester by = request.caller().requester();
        return store.insert(
                        new EndpointChange(UuidV7.at(now.toEpochMilli()), now, what, endpoint, by.key(), by.session()))
                .doOnError(failure -> LOG.atError()
                        .addKeyValue("event.action", "endpoint_change_not_stored")
                        .addKeyValue("cause", failure.getClass().getSimpleName())
                        .addKeyValue("what", what)
                        .addKeyValue("endpoint.id", endpoint)
                        .addKeyValue("key.id", by.key())
                        .addKeyValue("session.id", by.session())
                        .log("A key has changed an endpoint, and MongoDB could not store that"))
                .onErrorComplete();
    }

    /** The handler of a path that begins with {@link #ONE}: it gets the endpoint. 404 for one that the caller does not have. */
    Route.Handler<Caller> found(Route.Handler<WebhookEndpoint> handler) {
        return request -> store.find(request.caller().tenant(), id(request))
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
