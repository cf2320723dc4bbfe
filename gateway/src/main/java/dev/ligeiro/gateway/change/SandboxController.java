package dev.ligeiro.gateway.change;

import dev.ligeiro.gateway.api.Access;
import dev.ligeiro.gateway.api.Route;
import dev.ligeiro.gateway.api.Routes;
import dev.ligeiro.gateway.http.JsonResponse;
import dev.ligeiro.gateway.http.TransactionJson;
import dev.ligeiro.gateway.merchant.Caller;
import dev.ligeiro.gateway.merchant.Callers;
import dev.ligeiro.gateway.merchant.Scope;
import dev.ligeiro.gateway.problem.Problem;
import dev.ligeiro.gateway.problem.ProblemCode;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.SandboxAction;
import dev.ligeiro.transaction.TransactionId;
import java.util.Arrays;
import java.util.List;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** {@code POST /api/v1/sandbox/transaction/{id}/{action}}: simulates an action of the rail. Only for test keys. */
@Component
@Order(3)
class SandboxController implements Routes {

    private static final String BASE = "/api/v1/sandbox/transaction/{id}/";

    private final Callers callers;
    private final RequestChange change;
    private final TransactionJson transactionJson;

    SandboxController(Callers callers, RequestChange change, TransactionJson transactionJson) {
        this.callers = callers;
        this.change = change;
        this.transactionJson = transactionJson;
    }

    @Override
    public List<Route> routes() {
        Access<Caller> write = callers.with(Scope.TRANSACTIONS_WRITE);
        return Arrays.stream(SandboxAction.values())
                .map(action -> Route.post(
                        BASE + action.code(),
                        write,
                        RequestChange.TIMEOUT,
                        (request, caller) -> act(request, caller, action)))
                .toList();
    }

    private Mono<ServerResponse> act(ServerRequest request, Caller caller, SandboxAction action) {
        if (caller.tenant().mode() != Mode.TEST) {
            return Mono.error(Problem.of(ProblemCode.TEST_MODE_ONLY, "Use a key that starts with sk_test_"));
        }
        TransactionId id = TransactionId.parse(request.pathVariable("id")).orElseThrow(Problem::transactionNotFound);
        return change.request(caller.tenant(), id, new ChangeAction.Sandbox(action))
                .flatMap(outcome -> JsonResponse.of(
                        outcome.done() ? HttpStatus.OK : HttpStatus.ACCEPTED,
                        transactionJson.one(outcome.transaction())));
    }
}
