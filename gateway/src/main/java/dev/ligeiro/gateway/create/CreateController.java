package dev.ligeiro.gateway.create;

import dev.ligeiro.gateway.api.Access;
import dev.ligeiro.gateway.api.Route;
import dev.ligeiro.gateway.api.Routes;
import dev.ligeiro.gateway.http.JsonResponse;
import dev.ligeiro.gateway.merchant.Caller;
import dev.ligeiro.gateway.merchant.Callers;
import dev.ligeiro.gateway.merchant.Scope;
import dev.ligeiro.transaction.Operation;
import java.net.URI;
import java.util.List;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ObjectNode;

/** {@code POST /api/v1/transaction/pix/cashin} and {@code …/cashout}. The first routes by order: they have the most requests. */
@Component
@Order(0)
class CreateController implements Routes {

    private static final String CASHIN = "/api/v1/transaction/pix/cashin";
    private static final String CASHOUT = "/api/v1/transaction/pix/cashout";

    private final Callers callers;
    private final CreateTransaction create;

    CreateController(Callers callers, CreateTransaction create) {
        this.callers = callers;
        this.create = create;
    }

    @Override
    public List<Route> routes() {
        Access<Caller> write = callers.with(Scope.TRANSACTIONS_WRITE);
        return List.of(
                Route.postJson(CASHIN, write, (request, caller, body) -> create(Operation.CASHIN, body, caller)),
                Route.postJson(CASHOUT, write, (request, caller, body) -> create(Operation.CASHOUT, body, caller)));
    }

    private Mono<ServerResponse> create(Operation operation, ObjectNode body, Caller caller) {
        return create.create(operation, body, caller).flatMap(CreateController::response);
    }

    private static Mono<ServerResponse> response(CreateTransaction.Created created) {
        URI location = URI.create("/api/v1/transaction/" + created.transaction().id());
        return JsonResponse.of(ServerResponse.created(location), created.json());
    }
}
