package dev.ligeiro.gateway.operator.records;

import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.response.JsonResponse;
import dev.ligeiro.gateway.operator.admin.AdminRoutes;
import dev.ligeiro.gateway.operator.admin.Operator;
import java.time.Duration;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** {@code /admin/after-backup} on the management port: what a restored MongoDB does not have. */
final class AfterBackupApi {

    /** More than the sum of the limits of the steps: reading a page, closing the consumer and one query. */
    private static final Duration LIST_MAX = Duration.ofSeconds(15);

    private final AdminRoutes routes;
    private final ListAfterBackup list;

    AfterBackupApi(AdminRoutes routes, ListAfterBackup list) {
        this.routes = routes;
        this.list = list;
    }

    List<Route> routes() {
        return List.of(routes.get("/admin/after-backup", LIST_MAX, this::list));
    }

    private Mono<ServerResponse> list(ServerRequest request, Operator operator) {
        return list.list(AfterBackupQuery.parse(request.queryParams()))
                .flatMap(compared -> JsonResponse.of(HttpStatus.OK, AfterBackupJson.of(compared)));
    }
}
