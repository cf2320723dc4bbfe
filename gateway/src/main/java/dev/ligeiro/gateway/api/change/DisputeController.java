package dev.ligeiro.gateway.api.change;

import dev.ligeiro.gateway.api.change.ChangeRequest.Outcome;
import dev.ligeiro.gateway.http.Request;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.Route.Body;
import dev.ligeiro.gateway.http.Route.UnknownOutcome;
import dev.ligeiro.gateway.http.Routes;
import dev.ligeiro.gateway.http.auth.Caller;
import dev.ligeiro.gateway.http.auth.Callers;
import dev.ligeiro.gateway.http.limit.BoundedReads;
import dev.ligeiro.gateway.http.metrics.ObservedRequest;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.gateway.http.request.QueryParameters;
import dev.ligeiro.gateway.http.response.JsonResponse;
import dev.ligeiro.gateway.http.response.Page;
import dev.ligeiro.merchant.Scope;
import dev.ligeiro.store.StoredDispute;
import dev.ligeiro.support.problem.FieldError;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.Codes;
import dev.ligeiro.transaction.Dispute;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.view.TransactionView;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.core.JsonGenerator;

/**
 * {@code GET /api/v1/disputes}, {@code …/{id}}, and {@code POST …/{id}/defense}, which waits for the bank as a cancel does. The responses show
 * the dispute as the bank has told it last.
 */
@Component
@Order(3)
class DisputeController implements Routes {

    private static final String ALL = "/api/v1/disputes";
    private static final String ONE = ALL + "/{id}";
    private static final String EXPECTED = "expected the next_cursor of a page of this list";
    private static final String FILES = "files";
    private static final UnknownOutcome UNKNOWN =
            new UnknownOutcome("The defence may be sent", "read the dispute (GET /api/v1/disputes/{id})");

    private final Callers callers;
    private final DisputeStore store;
    private final RequestChange change;
    private final BoundedReads reads;
    private final TransactionView view;

    DisputeController(
            Callers callers, DisputeStore store, RequestChange change, BoundedReads reads, TransactionView view) {
        this.callers = callers;
        this.store = store;
        this.change = change;
        this.reads = reads;
        this.view = view;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                Route.get(ALL, callers.with(Scope.TRANSACTIONS_READ), this::list),
                Route.get(ONE, callers.with(Scope.TRANSACTIONS_READ), this::show),
                Route.idempotent(
                        ONE + "/defense",
                        callers.with(Scope.TRANSACTIONS_WRITE),
                        Body.REQUIRED,
                        RequestChange.TIMEOUT,
                        UNKNOWN,
                        this::defend));
    }

    private Mono<ServerResponse> list(Request<Caller> request) {
        QueryParameters given = new QueryParameters(request.queryParams(), Set.of("status", "transaction_id", "after"));
        Dispute.Status status = given.parsed("status", DisputeController::status);
        TransactionId transaction = given.parsed("transaction_id", text -> new TransactionId(Fields.uuid(text)));
        DisputeStore.Place after = given.parsed(
                "after", text -> Page.place(text, EXPECTED, DisputeStore.Place::read, DisputeStore.Place::cursor));
        given.orThrow();
        return reads.page(request.caller().tenant(), store.page(request.caller().tenant(), status, transaction, after))
                .flatMap(page -> JsonResponse.of(HttpStatus.OK, page.json("disputes", this::write)));
    }

    private static Dispute.Status status(String code) {
        return Codes.find(Dispute.Status.class, code)
                .orElseThrow(() -> new IllegalArgumentException("expected one of "
                        + Arrays.stream(Dispute.Status.values())
                                .map(Dispute.Status::code)
                                .toList()));
    }

    private Mono<ServerResponse> show(Request<Caller> request) {
        return found(request).flatMap(dispute -> JsonResponse.of(HttpStatus.OK, json(dispute)));
    }

    private Mono<StoredDispute> found(Request<Caller> request) {
        UUID id = request.variable("id", Fields::uuid, DisputeController::notFound);
        return store.find(request.caller().tenant(), id).switchIfEmpty(Mono.error(DisputeController::notFound));
    }

    /** {@code {text}}. Files are named in the refusal, because other banks take some. */
    private Mono<ServerResponse> defend(Request<Caller> request) {
        return found(request).flatMap(dispute -> {
            Fields fields = request.fields();
            String text = fields.requiredText("text", Dispute.DEFENSE_MAX);
            if (fields.has(FILES)) {
                fields.reject(FieldError.invalid(FILES, "expected none: the bank takes a text only"));
            }
            fields.orThrow();
            return defended(request, dispute, new ChangeAction.Defense(dispute.id(), Objects.requireNonNull(text)));
        });
    }

    private Mono<ServerResponse> defended(Request<Caller> request, StoredDispute dispute, ChangeAction defense) {
        return change.request(
                        request.caller().tenant(),
                        Objects.requireNonNull(dispute.transactionId()),
                        defense,
                        request.key(),
                        request.caller().requester(),
                        ObservedRequest.origin(request.http()))
                .map(Outcome::kind)
                // the change is made or queued, whatever happens to this read
                .flatMap(kind -> found(request).onErrorReturn(dispute).flatMap(now -> response(kind, json(now))));
    }

    private static Mono<ServerResponse> response(Outcome.Kind kind, byte[] json) {
        return switch (kind) {
            case DONE -> JsonResponse.of(HttpStatus.OK, json);
            case REPLAYED -> JsonResponse.of(JsonResponse.replayed(ServerResponse.ok()), json);
            case QUEUED -> JsonResponse.of(HttpStatus.ACCEPTED, json);
        };
    }

    private byte[] json(StoredDispute dispute) {
        return JsonResponse.object(json -> write(json, dispute));
    }

    private void write(JsonGenerator json, StoredDispute dispute) {
        view.writeDispute(json, dispute.dispute());
        json.writeStringProperty("transaction_id", Objects.toString(dispute.transactionId(), ""));
    }

    private static Problem notFound() {
        return Problem.notFound("There is no dispute with this id");
    }
}
