package dev.ligeiro.gateway.api.show;

import dev.ligeiro.gateway.http.Request;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.Routes;
import dev.ligeiro.gateway.http.auth.Caller;
import dev.ligeiro.gateway.http.auth.Callers;
import dev.ligeiro.gateway.http.limit.UnsentPages;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.gateway.http.request.QueryParameters;
import dev.ligeiro.gateway.http.response.JsonResponse;
import dev.ligeiro.gateway.http.response.Page;
import dev.ligeiro.gateway.http.response.TransactionJson;
import dev.ligeiro.merchant.Scope;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.transaction.Refund;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** {@code GET /api/v1/transaction/{id}}, {@code …/refunds} and {@code …/history}. */
@Component
@Order(1)
class ShowController implements Routes {

    private static final String PATH = "/api/v1/transaction/{id}";
    private static final String AFTER = "after";
    private static final String EXPECTED = "expected the next_cursor of a page of this transaction's refunds";

    private final Callers callers;
    private final TransactionStore store;
    private final TransactionJson transactionJson;
    private final UnsentPages pages;

    ShowController(Callers callers, TransactionStore store, TransactionJson transactionJson, UnsentPages pages) {
        this.callers = callers;
        this.store = store;
        this.transactionJson = transactionJson;
        this.pages = pages;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                Route.get(PATH, callers.with(Scope.TRANSACTIONS_READ), this::show),
                Route.get(PATH + "/refunds", callers.with(Scope.TRANSACTIONS_READ), this::refunds),
                Route.get(PATH + "/history", callers.with(Scope.TRANSACTIONS_READ), this::history));
    }

    private Mono<ServerResponse> show(Request<Caller> request) {
        return find(request).flatMap(found -> JsonResponse.of(HttpStatus.OK, transactionJson.one(found.snapshot())));
    }

    private Mono<ServerResponse> refunds(Request<Caller> request) {
        QueryParameters given = new QueryParameters(request.queryParams(), Set.of(AFTER));
        RefundId after = given.parsed(AFTER, ShowController::cursor);
        given.orThrow();
        return find(request)
                .map(found -> page(found.history().refunds(), after))
                .flatMap(page -> pages.send(request.caller().tenant(), transactionJson.refunds(page)));
    }

    private static RefundId cursor(String text) {
        try {
            return new RefundId(Fields.uuid(text));
        } catch (IllegalArgumentException otherwise) {
            throw new IllegalArgumentException(EXPECTED);
        }
    }

    /**
     * The refunds that follow {@code after}, the oldest first.
     *
     * @throws Problem 422 if {@code after} is none of the transaction's
     */
    private static Page<Refund> page(List<Refund> all, @Nullable RefundId after) {
        int from = after == null ? 0 : all.stream().map(Refund::id).toList().indexOf(after) + 1;
        if (after != null && from == 0) {
            throw Problem.invalid(AFTER, EXPECTED);
        }
        return Page.of(all.subList(from, all.size()), refund -> refund.id().toString());
    }

    private Mono<ServerResponse> history(Request<Caller> request) {
        return find(request)
                .flatMap(found -> pages.send(request.caller().tenant(), transactionJson.history(found.history())));
    }

    private Mono<Transaction> find(Request<Caller> request) {
        return Mono.justOrEmpty(TransactionId.parse(request.http().pathVariable("id")))
                .flatMap(parsed -> store.find(request.caller().tenant(), parsed))
                .switchIfEmpty(Mono.error(Problem::transactionNotFound));
    }
}
