package dev.ligeiro.gateway.operator.admin;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Scheduler;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.auth.ClientAddress;
import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
import dev.ligeiro.gateway.http.problem.RequestId;
import dev.ligeiro.gateway.http.request.Fields;
import java.net.InetAddress;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
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

    private static final String AUDITED = AdminRoutes.class.getName() + ".audited";
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int ADDRESSES_MAX = 100;
    private static final Duration READ_AGAIN_AFTER = Duration.ofMinutes(15);
    private static final int READERS_MAX = 10_000;

    private final AdminToken access;
    private final AuditStore audit;
    private final ClientAddress addresses;
    private final Clock clock;
    /** What an operator has read lately: pages ask again every few seconds. */
    private final Cache<String, Boolean> readers = Caffeine.newBuilder()
            .maximumSize(READERS_MAX)
            .expireAfterWrite(READ_AGAIN_AFTER)
            .build();
    /** How many wrong tokens an address has sent in this minute. */
    private final Cache<String, AtomicInteger> wrongTokens = Caffeine.newBuilder()
            .expireAfterWrite(MINUTE)
            .scheduler(Scheduler.systemScheduler())
            .<String, AtomicInteger>evictionListener((address, count, cause) -> {
                if (address != null && count != null) {
                    endMinute(address, count.get());
                }
            })
            .build();

    AdminRoutes(AdminToken access, AuditStore audit, ClientAddress addresses, Clock clock) {
        this.access = access;
        this.audit = audit;
        this.addresses = addresses;
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
        return told(Route.get(path, access.of(Role.READ), handler));
    }

    public Route get(String path, Duration timeout, Route.Handler<Operator> handler) {
        return told(Route.get(path, access.of(Role.READ), timeout, handler));
    }

    Route delete(String path, Route.Handler<Operator> handler) {
        return told(Route.delete(
                path,
                access.of(Role.OPERATE),
                (request, operator) ->
                        audited(path, request, operator, null, () -> handler.handle(request, operator))));
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
        return told(Route.postJson(path, access.of(role), timeout, audited(path, handler)));
    }

    /** The handler requires {@link Role#OPERATE} or {@link Role#MONEY}, by what the change is. */
    Route postJsonByBody(String path, Route.JsonHandler<Operator> handler) {
        return told(Route.postJson(path, access.ofChanges(), audited(path, handler)));
    }

    /** The handler requires {@link Role#OPERATE} or {@link Role#MONEY}, by what the change is. */
    Route putJsonByBody(String path, Route.JsonHandler<Operator> handler) {
        return told(Route.putJson(path, access.ofChanges(), Route.TIMEOUT, audited(path, handler)));
    }

    Route putJson(String path, Route.JsonHandler<Operator> handler) {
        return putJson(path, Role.OPERATE, handler);
    }

    Route putJson(String path, Role role, Route.JsonHandler<Operator> handler) {
        return putJson(path, role, Route.TIMEOUT, handler);
    }

    Route putJson(String path, Role role, Duration timeout, Route.JsonHandler<Operator> handler) {
        return told(Route.putJson(path, access.of(role), timeout, audited(path, handler)));
    }

    Route patchJson(String path, Route.JsonHandler<Operator> handler) {
        return told(Route.patchJson(path, access.of(Role.OPERATE), audited(path, handler)));
    }

    /** A read of the personal data of one payer: it leaves an entry, for the same operator and path at most one in a quarter of an hour. */
    public Route getPersonal(String path, Route.Handler<Operator> handler) {
        return get(path, (request, operator) -> {
            Mono<ServerResponse> shown = Mono.defer(() -> handler.handle(request, operator));
            String reader = operator.name() + " " + request.path();
            return readers.getIfPresent(reader) != null
                    ? shown
                    : audited(path, request, operator, null, () -> shown)
                            .doOnNext(response -> readers.put(reader, true));
        });
    }

    /** Stores that an operator has signed in to the console, or that a token was wrong. */
    public Mono<Void> signIn(ServerRequest request, @Nullable Operator operator) {
        return operator == null ? wrongToken(request) : stored(request, operator.name(), "sign-in", null, 200);
    }

    private Route told(Route route) {
        return route.telling((request, refusal) -> refused(request, route.method() + " " + route.path(), refusal));
    }

    /** A change that was refused before it had an entry, and a wrong token. Reads are not stored. */
    private Mono<Void> refused(ServerRequest request, String action, Problem refusal) {
        Object operator = request.attributes().get(AdminToken.OPERATOR);
        if (operator == null) {
            boolean isWrong = request.headers().firstHeader(HttpHeaders.AUTHORIZATION) != null;
            return isWrong ? wrongToken(request) : Mono.empty();
        }
        boolean isKnown = request.attributes().containsKey(AUDITED) || request.method() == HttpMethod.GET;
        return isKnown
                ? Mono.empty()
                : stored(
                        request,
                        ((Operator) operator).name(),
                        action,
                        null,
                        refusal.code().status().value());
    }

    /**
     * One entry for the first wrong token of an address in a minute, and one for all others of that minute. More than 100 addresses count as
     * one, so nobody can fill the collection.
     */
    private Mono<Void> wrongToken(ServerRequest request) {
        String address = addresses.of(request).map(InetAddress::getHostAddress).orElse("unknown");
        String counted =
                wrongTokens.asMap().containsKey(address) || wrongTokens.asMap().size() < ADDRESSES_MAX
                        ? address
                        : "others";
        boolean isFirst = wrongTokens.get(counted, first -> new AtomicInteger()).incrementAndGet() == 1;
        return isFirst ? stored(request, counted, "wrong token", "1", 401) : Mono.empty();
    }

    private void endMinute(String address, int count) {
        if (count > 1) {
            complete(AuditEntry.of(now(), address, "wrong token", "", String.valueOf(count - 1), ""), 401)
                    .onErrorComplete()
                    .subscribe();
        }
    }

    private Mono<Void> stored(ServerRequest request, String who, String action, @Nullable String body, int status) {
        return complete(
                AuditEntry.of(
                        now(),
                        who,
                        action,
                        request.path(),
                        body,
                        RequestId.of(request.exchange().getResponse())),
                status);
    }

    private Mono<Void> complete(AuditEntry entry, int status) {
        return audit.insert(entry).then(Mono.defer(() -> audit.end(entry.ended(status, null))));
    }

    private Instant now() {
        return Instant.ofEpochMilli(clock.millis());
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
        AuditEntry begun = AuditEntry.begun(now(), operator, path, request, body);
        request.attributes().put(AUDITED, true);
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
        return audit.end(begun.ended(status, headers.getFirst(HttpHeaders.LOCATION)))
                .onErrorComplete();
    }
}
