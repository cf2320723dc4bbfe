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
import tools.jackson.databind.node.ObjectNode;

/** {@code /admin/dead-letters} on the management port: the operator lists dead letters and redrives them. */
final class DeadLetterApi {

    /** More than the sum of the limits of the steps: reading a page, closing the consumer and one query. */
    private static final Duration LIST_MAX = Duration.ofSeconds(12);
    /** As above, and in addition: looking for the page, the confirmation by Kafka and one write. */
    private static final Duration REDRIVE_MAX = Duration.ofSeconds(40);

    private final AdminRoutes routes;
    private final ListDeadLetters list;
    private final RedriveDeadLetters redrive;

    DeadLetterApi(AdminRoutes routes, ListDeadLetters list, RedriveDeadLetters redrive) {
        this.routes = routes;
        this.list = list;
        this.redrive = redrive;
    }

    List<Route> routes() {
        return List.of(
                routes.get("/admin/dead-letters", LIST_MAX, this::list),
                routes.postJson("/admin/dead-letters/redrive", REDRIVE_MAX, this::redrive));
    }

    private Mono<ServerResponse> list(ServerRequest request, Operator operator) {
        DeadLetterQuery query = DeadLetterQuery.parse(request.queryParams());
        return list.list(query)
                .flatMap(listed -> JsonResponse.of(HttpStatus.OK, DeadLetterJson.list(query.topic(), listed)));
    }

    private Mono<ServerResponse> redrive(ServerRequest request, Operator operator, ObjectNode body) {
        RedriveRequest parsed = RedriveRequest.parse(body);
        return redrive.send(parsed)
                .flatMap(sent -> JsonResponse.of(HttpStatus.OK, DeadLetterJson.redriven(parsed, sent)));
    }
}
