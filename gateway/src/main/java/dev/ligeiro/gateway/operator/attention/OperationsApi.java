package dev.ligeiro.gateway.operator.attention;

import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.response.JsonResponse;
import dev.ligeiro.gateway.operator.admin.AdminRoutes;
import dev.ligeiro.gateway.operator.admin.Operator;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** {@code /admin/unsettled} and {@code /admin/strays} on the management port. */
final class OperationsApi {

    private final AdminRoutes routes;
    private final UnsettledStore unsettled;
    private final StrayListStore strays;
    private final Clock clock;

    OperationsApi(AdminRoutes routes, UnsettledStore unsettled, StrayListStore strays, Clock clock) {
        this.routes = routes;
        this.unsettled = unsettled;
        this.strays = strays;
        this.clock = clock;
    }

    List<Route> routes() {
        return List.of(routes.get("/admin/unsettled", this::unsettled), routes.get("/admin/strays", this::strays));
    }

    private Mono<ServerResponse> unsettled(ServerRequest request, Operator operator) {
        UnsettledQuery query = UnsettledQuery.parse(request.queryParams());
        Instant now = clock.instant();
        return unsettled
                .page(now.minus(query.olderThan()), query.after())
                .flatMap(page -> JsonResponse.of(HttpStatus.OK, OperationsJson.unsettled(page, now)));
    }

    private Mono<ServerResponse> strays(ServerRequest request, Operator operator) {
        StrayQuery query = StrayQuery.parse(request.queryParams());
        return strays.page(query.after())
                .flatMap(page -> JsonResponse.of(HttpStatus.OK, OperationsJson.strays(page, clock.instant())));
    }
}
