package dev.ligeiro.gateway.api.webhook;

import dev.ligeiro.gateway.http.Access;
import dev.ligeiro.gateway.http.Route;
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
import java.util.function.Supplier;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
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

    /** For requests of a few documents. */
    public Access<Caller> requests() {
        return new Bounded(manage, bounded::manage);
    }

    /** For pages of up to a thousand documents. */
    public Access<Caller> pages() {
        return new Bounded(manage, bounded::page);
    }

    private record Bounded(Access<Caller> access, BiFunction<Tenant, Mono<ServerResponse>, Mono<ServerResponse>> bound)
            implements Access<Caller> {

        @Override
        public Mono<Caller> caller(ServerRequest request) {
            return access.caller(request);
        }

        @Override
        public Mono<ServerResponse> run(Caller caller, Supplier<Mono<ServerResponse>> handler) {
            return bound.apply(caller.tenant(), Mono.defer(handler));
        }
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
        return Route.variable(request, "id", Fields::uuid, EndpointRoutes::notFound);
    }

    static Problem notFound() {
        return Problem.notFound("You have no webhook endpoint with this id");
    }
}
