package dev.ligeiro.gateway.webhook;

import dev.ligeiro.gateway.api.Route;
import dev.ligeiro.gateway.api.Routes;
import dev.ligeiro.gateway.auth.Caller;
import dev.ligeiro.gateway.auth.Callers;
import dev.ligeiro.gateway.auth.Scope;
import java.util.List;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** {@code DELETE /api/v1/webhooks/{id}}. */
@Component
@Order(4)
class EndpointDeleteController implements Routes {

    private final Callers callers;
    private final DeleteEndpoint delete;

    EndpointDeleteController(Callers callers, DeleteEndpoint delete) {
        this.callers = callers;
        this.delete = delete;
    }

    @Override
    public List<Route> routes() {
        return List.of(Route.delete(EndpointPath.ONE, callers.with(Scope.WEBHOOKS_MANAGE), this::delete));
    }

    private Mono<ServerResponse> delete(ServerRequest request, Caller caller) {
        return delete.delete(caller.tenant(), EndpointPath.id(request))
                .filter(Boolean::booleanValue)
                .switchIfEmpty(Mono.error(EndpointPath::notFound))
                .flatMap(deleted -> ServerResponse.noContent().build());
    }
}
