package dev.ligeiro.gateway.api.create;

import dev.ligeiro.gateway.http.GatewayProperties;
import dev.ligeiro.gateway.http.Request;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.Route.Access;
import dev.ligeiro.gateway.http.Route.Body;
import dev.ligeiro.gateway.http.Route.UnknownOutcome;
import dev.ligeiro.gateway.http.Routes;
import dev.ligeiro.gateway.http.auth.Caller;
import dev.ligeiro.gateway.http.auth.Callers;
import dev.ligeiro.gateway.http.metrics.ObservedRequest;
import dev.ligeiro.gateway.http.response.JsonResponse;
import dev.ligeiro.gateway.store.StopStore;
import dev.ligeiro.merchant.Scope;
import dev.ligeiro.support.RailProperties;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Operation;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** {@code POST /api/v1/transaction/pix/cashin} and {@code …/cashout}. The first routes by order: they have the most requests. */
@Component
@Order(0)
class CreateController implements Routes {

    private static final String CASHIN = "/api/v1/transaction/pix/cashin";
    private static final String CASHOUT = "/api/v1/transaction/pix/cashout";

    private static final UnknownOutcome UNKNOWN = new UnknownOutcome(
            "The transaction may have been stored",
            "list your transactions (GET /api/v1/transactions, with ?reference= if it has one)");

    private static final Duration RETRY_AFTER_STOP = Duration.ofMinutes(1);

    private final Callers callers;
    private final CreateTransaction create;
    private final RailProperties rails;
    private final StopStore stops;
    private final Amount amountMax;

    CreateController(
            Callers callers,
            CreateTransaction create,
            RailProperties rails,
            StopStore stops,
            GatewayProperties properties) {
        this.callers = callers;
        this.create = create;
        this.rails = rails;
        this.stops = stops;
        this.amountMax = Amount.of(properties.amountMax());
    }

    @Override
    public List<Route> routes() {
        return List.of(route(CASHIN, Operation.CASHIN), route(CASHOUT, Operation.CASHOUT));
    }

    private Route route(String path, Operation operation) {
        return Route.idempotent(
                path,
                unlessOverloaded(
                        callers.with(operation == Operation.CASHIN ? Scope.CASHINS_WRITE : Scope.CASHOUTS_WRITE)),
                Body.REQUIRED,
                Route.TIMEOUT,
                UNKNOWN,
                request -> create(operation, request));
    }

    /**
     * During an overload, a request is refused before its key is looked up and its body is read: an early refusal leaves more for the
     * others.
     */
    private Access<Caller> unlessOverloaded(Access<Caller> access) {
        return request -> {
            create.requireRoom();
            return access.caller(request);
        };
    }

    private Mono<ServerResponse> create(Operation operation, Request<Caller> request) {
        Caller caller = request.caller();
        if (caller.tenant().mode() == Mode.TEST) {
            return create(operation, request, RailProperties.SIMULATOR);
        }
        Optional<String> rail = rails.rail(caller.tenant(), operation);
        return rail.isEmpty()
                ? replay(operation, request, notConfigured(operation))
                : createLive(operation, request, rail.get());
    }

    private Mono<ServerResponse> createLive(Operation operation, Request<Caller> request, String rail) {
        return stops.isStopped(rail, operation)
                .flatMap(isStopped ->
                        isStopped ? replay(operation, request, stopped(operation)) : create(operation, request, rail))
                .onErrorResume(
                        Problem.class,
                        refusal -> refusal.code() == ProblemCode.QR_CODE_UNAVAILABLE
                                ? replay(operation, request, refusal)
                                : Mono.error(refusal));
    }

    private Mono<ServerResponse> create(Operation operation, Request<Caller> request, String rail) {
        return create.create(
                        parsed(operation, request),
                        request.caller(),
                        request.key(),
                        rail,
                        ObservedRequest.origin(request.http()))
                .flatMap(CreateController::response);
    }

    /** Since the request with this key created a transaction, its route may have been removed or stopped, or the QR codes used up. */
    private Mono<ServerResponse> replay(Operation operation, Request<Caller> request, Problem refusal) {
        String key = request.key();
        if (key == null) {
            return Mono.error(refusal);
        }
        Caller caller = request.caller();
        return create.holder(caller.tenant(), key)
                .switchIfEmpty(Mono.error(refusal))
                .map(holder -> create.replay(parsed(operation, request), caller, key, holder))
                .flatMap(CreateController::response);
    }

    private CreateRequest parsed(Operation operation, Request<Caller> request) {
        Caller caller = request.caller();
        return CreateRequest.parse(
                operation, request.fields(), caller.platforms(), caller.limits().amounts(operation), amountMax);
    }

    private static Problem notConfigured(Operation operation) {
        return Problem.of(
                ProblemCode.LIVE_MODE_NOT_CONFIGURED,
                "This installation has no rail for your live " + operation.code()
                        + "s yet; this request has stored nothing. Use a key that starts with sk_test_ until it has"
                        + " one");
    }

    private static Problem stopped(Operation operation) {
        return Problem.of(
                        ProblemCode.ROUTE_STOPPED,
                        "The operator has stopped new live " + operation.code()
                                + "s for now; this request has stored nothing")
                .retryAfter(RETRY_AFTER_STOP);
    }

    private static Mono<ServerResponse> response(CreateTransaction.Created created) {
        URI location = URI.create("/api/v1/transaction/" + created.transaction().id());
        ServerResponse.BodyBuilder response = ServerResponse.created(location);
        return JsonResponse.of(created.replayed() ? JsonResponse.replayed(response) : response, created.json());
    }
}
