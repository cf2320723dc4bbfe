package dev.ligeiro.gateway.show;

import dev.ligeiro.gateway.http.Answers;
import dev.ligeiro.gateway.http.Routes;
import dev.ligeiro.gateway.http.TransactionAnswers;
import dev.ligeiro.gateway.merchant.Caller;
import dev.ligeiro.gateway.merchant.Callers;
import dev.ligeiro.gateway.merchant.Scope;
import dev.ligeiro.gateway.problem.Problem;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** {@code GET /api/v1/transaction/{id}} (specification §4.3). */
@Component
@Order(1)
class ShowController implements Routes {

    private static final String PATH = "/api/v1/transaction/{id}";

    private final Callers callers;
    private final TransactionStore store;
    private final TransactionAnswers answers;

    ShowController(Callers callers, TransactionStore store, TransactionAnswers answers) {
        this.callers = callers;
        this.store = store;
        this.answers = answers;
    }

    @Override
    public RouterFunction<ServerResponse> routes() {
        return RouterFunctions.route()
                .GET(PATH, this::show)
                .route(RequestPredicates.path(PATH), Answers.onlyAllows(HttpMethod.GET))
                .build();
    }

    private Mono<ServerResponse> show(ServerRequest request) {
        return callers.of(request, Scope.TRANSACTIONS_READ).flatMap(caller -> {
            Answers.requireAcceptsJson(request);
            return find(caller, request.pathVariable("id"))
                    .flatMap(found -> Answers.json(HttpStatus.OK, answers.one(found)));
        });
    }

    private Mono<Transaction> find(Caller caller, String id) {
        return Mono.justOrEmpty(TransactionId.parse(id))
                .flatMap(parsed -> store.find(caller.tenant(), parsed))
                .switchIfEmpty(Mono.error(Problem::transactionNotFound));
    }
}
