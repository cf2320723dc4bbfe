package dev.ligeiro.gateway.operator.records;

import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.gateway.operator.admin.AdminResponse;
import dev.ligeiro.gateway.operator.admin.AdminRoutes;
import dev.ligeiro.gateway.operator.admin.ManagementRoutes;
import dev.ligeiro.gateway.operator.admin.Operator;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ObjectNode;

/** {@code /admin/books/rebuild}: asks for the postings that the books lack, and shows how far the latest rebuild is. */
@Component
class RebuildController implements ManagementRoutes {

    private static final String PATH = "/admin/books/rebuild";

    private final AdminRoutes routes;
    private final RebuildRequestStore store;
    private final Clock clock;

    RebuildController(AdminRoutes routes, RebuildRequestStore store, Clock clock) {
        this.routes = routes;
        this.store = store;
        this.clock = clock;
    }

    @Override
    public List<Route> routes() {
        return List.of(routes.postJson(PATH, Route.TIMEOUT, this::request), routes.get(PATH, this::show));
    }

    /** While a rebuild runs, no other one begins. */
    private Mono<ServerResponse> request(ServerRequest request, Operator operator, ObjectNode body) {
        new Fields(body).orThrow();
        return store.request(Instant.ofEpochMilli(clock.millis())).then(Mono.defer(() -> show(request, operator)));
    }

    private Mono<ServerResponse> show(ServerRequest request, Operator operator) {
        return store.latest()
                .switchIfEmpty(Mono.error(() -> Problem.of(ProblemCode.NOT_FOUND, "The books were never rebuilt")))
                .flatMap(AdminResponse::ok);
    }
}
