package dev.ligeiro.gateway.change;

import dev.ligeiro.gateway.http.Answers;
import dev.ligeiro.gateway.http.Routes;
import dev.ligeiro.gateway.http.TransactionAnswers;
import dev.ligeiro.gateway.merchant.Caller;
import dev.ligeiro.gateway.merchant.Callers;
import dev.ligeiro.gateway.merchant.Scope;
import dev.ligeiro.gateway.problem.Problem;
import dev.ligeiro.gateway.problem.ProblemCode;
import dev.ligeiro.message.SandboxAction;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.transaction.Mode;
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

/** {@code POST /api/v1/sandbox/transaction/{id}/{action}}: a tester does what the rail would do. Test keys only. */
@Component
@Order(3)
class SandboxController implements Routes {

    private static final String BASE = "/api/v1/sandbox/transaction/{id}/";

    private final Callers callers;
    private final RequestChange change;
    private final TransactionAnswers answers;

    SandboxController(Callers callers, RequestChange change, TransactionAnswers answers) {
        this.callers = callers;
        this.change = change;
        this.answers = answers;
    }

    @Override
    public RouterFunction<ServerResponse> routes() {
        RouterFunctions.Builder routes = RouterFunctions.route();
        for (SandboxAction action : SandboxAction.values()) {
            String path = BASE + action.code();
            routes.POST(path, request -> act(request, action))
                    .route(RequestPredicates.path(path), Answers.onlyAllows(HttpMethod.POST));
        }
        return routes.build();
    }

    private Mono<ServerResponse> act(ServerRequest request, SandboxAction action) {
        return callers.of(request, Scope.TRANSACTIONS_WRITE)
                .flatMap(caller -> act(request, caller, action))
                .flatMap(outcome -> Answers.json(
                        outcome.done() ? HttpStatus.OK : HttpStatus.ACCEPTED, answers.one(outcome.transaction())));
    }

    private Mono<RequestChange.Outcome> act(ServerRequest request, Caller caller, SandboxAction action) {
        Answers.requireAcceptsJson(request);
        if (caller.tenant().mode() != Mode.TEST) {
            return Mono.error(Problem.of(ProblemCode.TEST_MODE_ONLY, "Use a key that starts with sk_test_"));
        }
        TransactionId id = TransactionId.parse(request.pathVariable("id")).orElseThrow(Problem::transactionNotFound);
        return change.request(caller.tenant(), new TransactionCommand.Sandbox(id, action), action.target());
    }
}
