package dev.ligeiro.gateway.operator.attention;

import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.request.QueryParameters;
import dev.ligeiro.gateway.operator.admin.AdminResponse;
import dev.ligeiro.gateway.operator.admin.AdminRoutes;
import dev.ligeiro.gateway.operator.admin.ManagementRoutes;
import dev.ligeiro.gateway.operator.admin.Operator;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** {@code GET /admin/status}: the running processes, rails and open work, and what of it needs a person now. */
@Component
class StatusController implements ManagementRoutes {

    /** More than the limits of its steps. */
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final AdminRoutes routes;
    private final ReadStatus status;

    StatusController(AdminRoutes routes, ReadStatus status) {
        this.routes = routes;
        this.status = status;
    }

    @Override
    public List<Route> routes() {
        return List.of(routes.get("/admin/status", TIMEOUT, this::show));
    }

    private Mono<ServerResponse> show(ServerRequest request, Operator operator) {
        new QueryParameters(request.queryParams(), Set.of()).orThrow();
        return status.read().flatMap(AdminResponse::ok);
    }
}
