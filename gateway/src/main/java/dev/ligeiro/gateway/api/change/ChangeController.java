package dev.ligeiro.gateway.api.change;

import dev.ligeiro.gateway.api.change.ChangeRequest.Outcome;
import dev.ligeiro.gateway.http.Request;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.Route.Body;
import dev.ligeiro.gateway.http.Route.UnknownOutcome;
import dev.ligeiro.gateway.http.Routes;
import dev.ligeiro.gateway.http.auth.Caller;
import dev.ligeiro.gateway.http.auth.Callers;
import dev.ligeiro.gateway.http.metrics.ObservedRequest;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.gateway.http.response.JsonResponse;
import dev.ligeiro.gateway.http.response.TransactionJson;
import dev.ligeiro.merchant.Scope;
import dev.ligeiro.pix.TaxId;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Payer;
import dev.ligeiro.transaction.SandboxAction;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.TransactionId;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/**
 * {@code POST /api/v1/transaction/{id}/cancel}, {@code …/refund}, {@code …/approve} and {@code …/reject}, and {@code POST
 * /api/v1/sandbox/transaction/{id}/{action}}, which simulates an action of the rail for test keys.
 */
@Component
@Order(3)
class ChangeController implements Routes {

    private static final String ONE = "/api/v1/transaction/{id}";
    private static final String SANDBOX = "/api/v1/sandbox/transaction/{id}/";
    private static final UnknownOutcome UNKNOWN =
            new UnknownOutcome("The change may have been made", "read the transaction (GET /api/v1/transaction/{id})");

    private static final int REFUND_REFERENCE_MAX = 50;
    private static final int REFUND_DESCRIPTION_MAX = 255;
    private static final int REASON_MAX = 255;

    private final Callers callers;
    private final RequestChange change;
    private final TransactionJson transactionJson;
    private final boolean separateKeys;

    ChangeController(
            Callers callers,
            RequestChange change,
            TransactionJson transactionJson,
            @Value("${ligeiro.approval.separate-keys}") boolean separateKeys) {
        this.callers = callers;
        this.change = change;
        this.transactionJson = transactionJson;
        this.separateKeys = separateKeys;
    }

    @Override
    public List<Route> routes() {
        return Stream.concat(
                        Stream.of(
                                withoutBody(ONE + "/cancel", this::cancel),
                                Route.idempotent(
                                        ONE + "/refund",
                                        callers.with(Scope.TRANSACTIONS_WRITE),
                                        Body.REQUIRED,
                                        RequestChange.TIMEOUT,
                                        UNKNOWN,
                                        this::refund),
                                approval("approve", true),
                                approval("reject", false)),
                        Stream.of(SandboxAction.values())
                                .map(action ->
                                        withoutBody(SANDBOX + action.code(), request -> sandbox(action, request))))
                .toList();
    }

    private Route withoutBody(String path, Route.Handler<Caller> handler) {
        return Route.idempotent(
                path, callers.with(Scope.TRANSACTIONS_WRITE), Body.OPTIONAL, RequestChange.TIMEOUT, UNKNOWN, handler);
    }

    private Route approval(String verb, boolean approved) {
        return Route.idempotent(
                ONE + "/" + verb,
                callers.with(Scope.CASHOUTS_APPROVE),
                Body.OPTIONAL,
                RequestChange.TIMEOUT,
                UNKNOWN,
                request -> approval(approved, request));
    }

    /** {@code {reason?}} */
    private Mono<ServerResponse> approval(boolean approved, Request<Caller> request) {
        if (approved && separateKeys && request.caller().scopes().contains(Scope.CASHOUTS_WRITE)) {
            throw Problem.of(
                    ProblemCode.SEPARATE_KEY_REQUIRED, "Use a key with cashouts:approve that cannot create cashouts");
        }
        Fields fields = request.fields();
        String reason = fields.optionalText("reason", REASON_MAX);
        fields.orThrow();
        return change(request, new ChangeAction.Approval(approved, Source.MERCHANT, reason));
    }

    private Mono<ServerResponse> cancel(Request<Caller> request) {
        request.fields().orThrow();
        return change(request, new ChangeAction.Cancel());
    }

    /** {@code {amount?, refund_reference?, description?}}. Without an amount, all that is left is refunded. */
    private Mono<ServerResponse> refund(Request<Caller> request) {
        Fields fields = request.fields();
        ChangeAction.Refund refund = new ChangeAction.Refund(
                fields.optionalAmount("amount", Amount.MAX),
                fields.optionalText("refund_reference", REFUND_REFERENCE_MAX),
                fields.optionalText("description", REFUND_DESCRIPTION_MAX));
        fields.orThrow();
        return change(request, refund);
    }

    /** {@code {payer_document?}} of a payment. */
    private Mono<ServerResponse> sandbox(SandboxAction action, Request<Caller> request) {
        if (request.caller().tenant().mode() != Mode.TEST) {
            throw Problem.of(ProblemCode.TEST_MODE_ONLY, "Use a key that starts with sk_test_");
        }
        Fields fields = request.fields();
        TaxId payer = action == SandboxAction.PAY ? fields.optionalParsed("payer_document", TaxId::parse) : null;
        fields.orThrow();
        return change(
                request, new ChangeAction.Sandbox(action, payer == null ? null : Payer.of(null, payer.value(), null)));
    }

    private Mono<ServerResponse> change(Request<Caller> request, ChangeAction action) {
        TransactionId id =
                TransactionId.parse(request.http().pathVariable("id")).orElseThrow(Problem::transactionNotFound);
        return change.request(
                        request.caller().tenant(),
                        id,
                        action,
                        request.key(),
                        request.caller().requester(),
                        ObservedRequest.origin(request.http()))
                .flatMap(this::response);
    }

    private Mono<ServerResponse> response(Outcome outcome) {
        byte[] json = transactionJson.one(outcome.transaction());
        return switch (outcome.kind()) {
            case DONE -> JsonResponse.of(HttpStatus.OK, json);
            case REPLAYED -> JsonResponse.of(JsonResponse.replayed(ServerResponse.ok()), json);
            case QUEUED -> JsonResponse.of(HttpStatus.ACCEPTED, json);
        };
    }
}
