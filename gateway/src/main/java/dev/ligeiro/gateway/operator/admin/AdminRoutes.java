package dev.ligeiro.gateway.operator.admin;

import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
import dev.ligeiro.gateway.http.request.Fields;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes the routes of the admin API: each needs an operator's token with its role, and each request that may change something leaves an
 * audit entry.
 * The entry is stored before the change and gets its status after it, so there is no change without an entry. A change whose entry cannot
 * be stored is not made.
 */
@Component
public class AdminRoutes {

    private static final String MERCHANT = AdminRoutes.class.getName() + ".merchant";

    private final AdminToken access;
    private final AuditStore audit;
    private final Clock clock;

    AdminRoutes(AdminToken access, AuditStore audit, Clock clock) {
        this.access = access;
        this.audit = audit;
        this.clock = clock;
    }

    /** @throws Problem 404 when the path variable is not a UUID */
    static UUID id(ServerRequest request, String variable) {
        return Route.variable(request, variable, Fields::uuid, AdminRoutes::notFound);
    }

    static UUID merchantId(ServerRequest request) {
        return id(request, "id");
    }

    /** Says which merchant a request is about whose path does not name one, so that the audit of the merchant has it. */
    public static void concerns(ServerRequest request, UUID merchantId) {
        request.attributes().put(MERCHANT, merchantId);
    }

    static Problem notFound() {
        return Problem.of(ProblemCode.NOT_FOUND, "There is no such merchant, platform or key");
    }

    public Route get(String path, Route.Handler<Operator> handler) {
        return Route.get(path, access.of(Role.READ), handler);
    }

    public Route get(String path, Duration timeout, Route.Handler<Operator> handler) {
        return Route.get(path, access.of(Role.READ), timeout, handler);
    }

    Route delete(String path, Route.Handler<Operator> handler) {
        return Route.delete(
                path,
                access.of(Role.OPERATE),
                (request, operator) -> audited(path, request, operator, null, () -> handler.handle(request, operator)));
    }

    Route postJson(String path, Route.JsonHandler<Operator> handler) {
        return postJson(path, Role.OPERATE, handler);
    }

    public Route postJson(String path, Role role, Route.JsonHandler<Operator> handler) {
        return postJson(path, role, Route.TIMEOUT, handler);
    }

    public Route postJson(String path, Duration timeout, Route.JsonHandler<Operator> handler) {
        return postJson(path, Role.OPERATE, timeout, handler);
    }

    public Route postJson(String path, Role role, Duration timeout, Route.JsonHandler<Operator> handler) {
        return Route.postJson(path, access.of(role), timeout, audited(path, handler));
    }

    /** The handler requires {@link Role#OPERATE} or {@link Role#MONEY}, by what the change is. */
    Route postJsonByBody(String path, Route.JsonHandler<Operator> handler) {
        return Route.postJson(path, access.ofChanges(), audited(path, handler));
    }

    /** The handler requires {@link Role#OPERATE} or {@link Role#MONEY}, by what the change is. */
    Route putJsonByBody(String path, Route.JsonHandler<Operator> handler) {
        return Route.putJson(path, access.ofChanges(), Route.TIMEOUT, audited(path, handler));
    }

    Route putJson(String path, Route.JsonHandler<Operator> handler) {
        return putJson(path, Role.OPERATE, handler);
    }

    Route putJson(String path, Role role, Route.JsonHandler<Operator> handler) {
        return putJson(path, role, Route.TIMEOUT, handler);
    }

    Route putJson(String path, Role role, Duration timeout, Route.JsonHandler<Operator> handler) {
        return Route.putJson(path, access.of(role), timeout, audited(path, handler));
    }

    Route patchJson(String path, Route.JsonHandler<Operator> handler) {
        return Route.patchJson(path, access.of(Role.OPERATE), audited(path, handler));
    }

    private Route.JsonHandler<Operator> audited(String path, Route.JsonHandler<Operator> handler) {
        return (request, operator, body) ->
                audited(path, request, operator, body, () -> handler.handle(request, operator, body));
    }

    private Mono<ServerResponse> audited(
            String path,
            ServerRequest request,
            Operator operator,
            @Nullable ObjectNode body,
            Supplier<Mono<ServerResponse>> change) {
        AuditEntry begun = AuditEntry.begun(Instant.ofEpochMilli(clock.millis()), operator, path, request, body);
        return audit.insert(begun)
                .then(Mono.defer(change))
                .flatMap(response -> ended(
                                about(request, begun), response.statusCode().value(), response.headers())
                        .thenReturn(response))
                .onErrorResume(Problem.class, refusal -> ended(
                                about(request, begun), refusal.code().status().value(), HttpHeaders.EMPTY)
                        .then(Mono.error(refusal)));
    }

    private static AuditEntry about(ServerRequest request, AuditEntry begun) {
        return request.attribute(MERCHANT)
                .map(merchant -> begun.about((UUID) merchant))
                .orElse(begun);
    }

    /** A failure leaves the outcome unknown: the change has been made, and its response must reach the operator. */
    private Mono<Void> ended(AuditEntry begun, int status, HttpHeaders headers) {
        return audit.replace(begun.ended(status, headers.getFirst(HttpHeaders.LOCATION)))
                .onErrorComplete();
    }
}
