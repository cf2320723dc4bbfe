package dev.ligeiro.gateway.api.webhook;

import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.Routes;
import dev.ligeiro.gateway.http.auth.Caller;
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

    private final ManageRoutes routes;
    private final DeleteEndpoint delete;

    EndpointDeleteController(ManageRoutes routes, DeleteEndpoint delete) {
        this.routes = routes;
        this.delete = delete;
    }

    @Override
    public List<Route> routes() {
        return List.of(routes.delete(EndpointPath.ONE, this::delete));
    }

    private Mono<ServerResponse> delete(ServerRequest request, Caller caller) {
        return delete.delete(caller.tenant(), EndpointPath.id(request))
                .filter(Boolean::booleanValue)
                .switchIfEmpty(Mono.error(EndpointPath::notFound))
                .flatMap(deleted -> ServerResponse.noContent().build());
    }
}
