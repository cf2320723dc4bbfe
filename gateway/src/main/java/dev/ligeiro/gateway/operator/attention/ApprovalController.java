package dev.ligeiro.gateway.operator.attention;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.ligeiro.gateway.api.change.ChangeOutcome;
import dev.ligeiro.gateway.api.change.RequestChange;
import dev.ligeiro.gateway.api.show.TransactionStore;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.metrics.ObservedRequest;
import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.gateway.http.request.QueryParameters;
import dev.ligeiro.gateway.operator.admin.AdminResponse;
import dev.ligeiro.gateway.operator.admin.AdminRoutes;
import dev.ligeiro.gateway.operator.admin.ManagementRoutes;
import dev.ligeiro.gateway.operator.admin.MerchantNames;
import dev.ligeiro.gateway.operator.admin.NamedMerchant;
import dev.ligeiro.gateway.operator.admin.Operator;
import dev.ligeiro.gateway.operator.admin.Role;
import dev.ligeiro.gateway.operator.attention.AttentionStore.PageCursor;
import dev.ligeiro.gateway.operator.attention.AttentionStore.WaitingCashout;
import dev.ligeiro.gateway.operator.search.FoundTransactionJson;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code GET /admin/approvals?after=} lists the cashouts that wait for approval, {@code POST /admin/transactions/{id}/approve} and {@code
 * …/reject} decide about one of them. The answers have no personal data.
 */
@Component
class ApprovalController implements ManagementRoutes {

    private static final String ONE = "/admin/transactions/{id}";
    private static final int REASON_MAX = 255;

    private final AdminRoutes routes;
    private final AttentionStore store;
    private final TransactionStore transactions;
    private final MerchantNames names;
    private final RequestChange change;
    private final Clock clock;

    ApprovalController(
            AdminRoutes routes,
            AttentionStore store,
            TransactionStore transactions,
            MerchantNames names,
            RequestChange change,
            Clock clock) {
        this.routes = routes;
        this.store = store;
        this.transactions = transactions;
        this.names = names;
        this.change = change;
        this.clock = clock;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                routes.get("/admin/approvals", this::list), decision("/approve", true), decision("/reject", false));
    }

    private Mono<ServerResponse> list(ServerRequest request, Operator operator) {
        QueryParameters given = new QueryParameters(request.queryParams(), Set.of("after"));
        PageCursor after = given.parsed("after", AttentionController::transaction);
        given.orThrow();
        Instant now = clock.instant();
        return store.approvals(after)
                .flatMap(page -> names.ofTenants(
                        page,
                        cashout -> cashout.transaction().tenant(),
                        (cashout, merchant) -> WaitingJson.of(cashout, merchant, now)))
                .flatMap(page -> AdminResponse.page("approvals", page));
    }

    private Route decision(String verb, boolean approved) {
        return routes.postJson(
                ONE + verb,
                Role.MONEY,
                RequestChange.TIMEOUT,
                (request, operator, body) -> decide(approved, request, body));
    }

    /** {@code {reason}} */
    private Mono<ServerResponse> decide(boolean approved, ServerRequest request, ObjectNode body) {
        Fields fields = new Fields(body);
        String reason = fields.requiredText("reason", REASON_MAX);
        fields.orThrow();
        TransactionId id = TransactionId.parse(request.pathVariable("id")).orElseThrow(Problem::transactionNotFound);
        return transactions
                .find(id)
                .timeout(Route.TIMEOUT)
                .switchIfEmpty(Mono.error(Problem::transactionNotFound))
                .delayUntil(found -> audited(request, found.tenant()))
                .flatMap(found -> change.request(
                        found.tenant(),
                        id,
                        new ChangeAction.Approval(approved, Source.OPERATOR, reason),
                        null,
                        null,
                        ObservedRequest.origin(request)))
                .flatMap(outcome -> AdminResponse.of(
                        outcome.kind() == ChangeOutcome.Kind.QUEUED ? HttpStatus.ACCEPTED : HttpStatus.OK,
                        DecidedJson.of(outcome)));
    }

    private Mono<Void> audited(ServerRequest request, Tenant tenant) {
        return names.of(tenant)
                .doOnNext(named -> Optional.ofNullable(named.merchantId())
                        .ifPresent(merchant -> AdminRoutes.concerns(request, merchant)))
                .then();
    }

    private record WaitingJson(
            @JsonUnwrapped FoundTransactionJson transaction, String rail, Instant since, long ageSeconds) {

        static WaitingJson of(WaitingCashout cashout, NamedMerchant merchant, Instant now) {
            return new WaitingJson(
                    FoundTransactionJson.of(cashout.transaction(), merchant),
                    cashout.rail(),
                    cashout.since(),
                    Duration.between(cashout.since(), now).toSeconds());
        }
    }

    /** @param denialReason null unless it is denied */
    private record DecidedJson(UUID id, Status status, @Nullable String denialReason) {

        static DecidedJson of(ChangeOutcome outcome) {
            return new DecidedJson(
                    outcome.transaction().id().value(),
                    outcome.transaction().status(),
                    outcome.transaction().denialReason());
        }
    }
}
