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

/** {@code /admin/unsettled} and {@code /admin/unmatched-payments} on the management port. */
final class OperationsApi {

    private final AdminRoutes routes;
    private final UnsettledStore unsettled;
    private final UnmatchedPaymentListStore unmatched;
    private final Clock clock;

    OperationsApi(AdminRoutes routes, UnsettledStore unsettled, UnmatchedPaymentListStore unmatched, Clock clock) {
        this.routes = routes;
        this.unsettled = unsettled;
        this.unmatched = unmatched;
        this.clock = clock;
    }

    List<Route> routes() {
        return List.of(
                routes.get("/admin/unsettled", this::unsettled),
                routes.get("/admin/unmatched-payments", this::unmatched));
    }

    private Mono<ServerResponse> unsettled(ServerRequest request, Operator operator) {
        UnsettledQuery query = UnsettledQuery.parse(request.queryParams());
        Instant now = clock.instant();
        return unsettled
                .page(now.minus(query.olderThan()), query.after())
                .flatMap(page -> JsonResponse.of(HttpStatus.OK, OperationsJson.unsettled(page, now)));
    }

    private Mono<ServerResponse> unmatched(ServerRequest request, Operator operator) {
        UnmatchedQuery query = UnmatchedQuery.parse(request.queryParams());
        return unmatched
                .page(query.after())
                .flatMap(page -> JsonResponse.of(HttpStatus.OK, OperationsJson.unmatched(page, clock.instant())));
    }
}
