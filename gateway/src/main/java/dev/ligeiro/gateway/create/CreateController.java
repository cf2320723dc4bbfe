package dev.ligeiro.gateway.create;

import dev.ligeiro.gateway.http.Answers;
import dev.ligeiro.gateway.http.JsonBody;
import dev.ligeiro.gateway.http.Routes;
import dev.ligeiro.gateway.merchant.Callers;
import dev.ligeiro.gateway.merchant.Scope;
import dev.ligeiro.transaction.Operation;
import java.net.URI;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** {@code POST /api/v1/transaction/pix/cashin} and {@code …/cashout} (specification §4.1, §4.2). */
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

    /** First in order: it is the hottest. */
    @Override
    public RouterFunction<ServerResponse> routes() {
        return RouterFunctions.route()
                .POST(CASHIN, request -> create(request, Operation.CASHIN))
                .POST(CASHOUT, request -> create(request, Operation.CASHOUT))
                .route(RequestPredicates.path(CASHIN), Answers.onlyAllows(HttpMethod.POST))
                .route(RequestPredicates.path(CASHOUT), Answers.onlyAllows(HttpMethod.POST))
                .build();
    }

    private Mono<ServerResponse> create(ServerRequest request, Operation operation) {
        return callers.of(request, Scope.TRANSACTIONS_WRITE).flatMap(caller -> {
            Answers.requireAcceptsJson(request);
            return JsonBody.read(request)
                    .flatMap(body -> create.create(operation, body, caller).flatMap(CreateController::answer));
        });
    }

    private static Mono<ServerResponse> answer(CreateTransaction.Created created) {
        URI location = URI.create("/api/v1/transaction/" + created.transaction().id());
        return Answers.json(ServerResponse.created(location), created.answer());
    }
}
