package dev.ligeiro.gateway.operator.resolve;

import static java.util.Objects.requireNonNull;

import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.problem.FieldError;
import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.gateway.http.request.QueryParameters;
import dev.ligeiro.gateway.operator.admin.AdminResponse;
import dev.ligeiro.gateway.operator.admin.AdminRoutes;
import dev.ligeiro.gateway.operator.admin.ManagementRoutes;
import dev.ligeiro.gateway.operator.admin.Operator;
import dev.ligeiro.gateway.operator.admin.Role;
import dev.ligeiro.gateway.operator.resolve.ProposedResolution.Subject;
import dev.ligeiro.pix.EndToEndId;
import dev.ligeiro.transaction.ResolutionDecision;
import dev.ligeiro.transaction.ResolutionState;
import dev.ligeiro.transaction.UuidV7;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code /admin/resolutions}: the operators' decisions about unknown outcomes and unmatched payments. A processor carries out a confirmed one
 * within seconds.
 */
@Component
class ResolutionController implements ManagementRoutes {

    private static final String PATH = "/admin/resolutions";
    private static final String ONE = PATH + "/{id}";
    private static final int REASON_MAX = 255;
    private static final int PAYMENT_MAX = 200;

    private final AdminRoutes routes;
    private final ResolutionStore store;
    private final CheckSubject check;
    private final ResolutionProperties properties;
    private final Clock clock;

    ResolutionController(
            AdminRoutes routes,
            ResolutionStore store,
            CheckSubject check,
            ResolutionProperties properties,
            Clock clock) {
        this.routes = routes;
        this.store = store;
        this.check = check;
        this.properties = properties;
        this.clock = clock;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                routes.postJson(PATH, Role.MONEY, this::propose),
                routes.get(PATH, this::list),
                routes.get(ONE, this::show),
                routes.postJson(ONE + "/confirm", Role.MONEY, this::confirm),
                routes.postJson(ONE + "/withdraw", Role.MONEY, this::withdraw));
    }

    /** {@code {transaction?, refund?, unmatched_payment?, decision, e2e_id?, paid_at?, reason}} */
    private Mono<ServerResponse> propose(ServerRequest request, Operator operator, ObjectNode body) {
        Fields fields = new Fields(body);
        ResolutionDecision decision = fields.requiredParsed("decision", ResolutionDecision::fromCode);
        UUID transaction = fields.optionalParsed("transaction", Fields::uuid);
        UUID refund = fields.optionalParsed("refund", Fields::uuid);
        String payment = fields.optionalText("unmatched_payment", PAYMENT_MAX);
        String endToEndId = fields.optionalParsed("e2e_id", text -> new EndToEndId(text).value());
        Instant paidAt = fields.optionalParsed("paid_at", this::past);
        String reason = fields.requiredText("reason", REASON_MAX);
        fields.orThrow();
        Subject subject = new Subject(requireNonNull(decision), transaction, refund, payment, endToEndId, paidAt);
        requireShape(subject, fields);
        fields.orThrow();
        Instant now = now();
        return check.check(subject, now)
                .map(tenant -> subject.proposed(
                        UuidV7.at(now.toEpochMilli()), tenant.key(), requireNonNull(reason), operator.name(), now))
                .map(proposed -> properties.operators() == 1 ? proposed.confirmed(operator.name(), now) : proposed)
                .flatMap(store::insert)
                .onErrorMap(
                        DuplicateKeyException.class,
                        open -> Problem.of(
                                ProblemCode.RESOLUTION_OPEN,
                                "Another decision about " + subject.name() + " is open; confirm or withdraw it"))
                .flatMap(stored -> AdminResponse.created(PATH + "/" + stored.id(), ResolutionJson.of(stored)));
    }

    /** Which fields belong to which decision. */
    private static void requireShape(Subject subject, Fields fields) {
        ResolutionDecision decision = subject.decision();
        if (decision.isOfPayment()) {
            require(fields, "unmatched_payment", subject.unmatchedPayment() != null, true, decision);
            require(fields, "refund", subject.refund() != null, false, decision);
        } else {
            boolean isOfRefund = decision == ResolutionDecision.MADE || decision == ResolutionDecision.FAILED;
            require(fields, "unmatched_payment", subject.unmatchedPayment() != null, false, decision);
            require(fields, "refund", subject.refund() != null, isOfRefund, decision);
        }
        if (decision != ResolutionDecision.KEEP && decision != ResolutionDecision.RETURN) {
            require(fields, "transaction", subject.transactionId() != null, true, decision);
        }
        boolean isPaid = decision == ResolutionDecision.PAID;
        require(fields, "e2e_id", subject.endToEndId() != null, isPaid, decision);
        require(fields, "paid_at", subject.paidAt() != null, isPaid, decision);
    }

    private static void require(
            Fields fields, String field, boolean isGiven, boolean isNeeded, ResolutionDecision decision) {
        if (isGiven && !isNeeded) {
            fields.reject(FieldError.invalid(field, "expected none for the decision " + decision.code()));
        } else if (!isGiven && isNeeded) {
            fields.reject(FieldError.required(field));
        }
    }

    /** {@code {reason?}} */
    private Mono<ServerResponse> confirm(ServerRequest request, Operator operator, ObjectNode body) {
        String reason = reason(body, false);
        return proposal(request).flatMap(proposed -> {
            if (properties.operators() > 1 && proposed.operator().equals(operator.name())) {
                return Mono.error(Problem.of(
                        ProblemCode.SECOND_OPERATOR_NEEDED,
                        "You have proposed it yourself; another operator with the role money must confirm it"));
            }
            return check.check(proposed.subject(), now())
                    .onErrorResume(Problem.class, changed -> outdated(proposed, changed))
                    .then(move(proposed, ResolutionState.CONFIRMED, operator, reason));
        });
    }

    private <T> Mono<T> outdated(ProposedResolution proposed, Problem changed) {
        return changed.code() == ProblemCode.NOT_RESOLVABLE
                ? store.move(proposed.id(), ResolutionState.OUTDATED, null, null, now())
                        .then(Mono.error(changed))
                : Mono.error(changed);
    }

    /** {@code {reason}} */
    private Mono<ServerResponse> withdraw(ServerRequest request, Operator operator, ObjectNode body) {
        String reason = reason(body, true);
        return proposal(request).flatMap(proposed -> move(proposed, ResolutionState.WITHDRAWN, operator, reason));
    }

    private Mono<ServerResponse> move(
            ProposedResolution proposed, ResolutionState to, Operator operator, @Nullable String reason) {
        return Mono.defer(() -> store.move(proposed.id(), to, operator.name(), reason, now()))
                .switchIfEmpty(Mono.error(() -> notProposed("another operator was first")))
                .flatMap(moved -> AdminResponse.ok(ResolutionJson.of(moved)));
    }

    private Mono<ProposedResolution> proposal(ServerRequest request) {
        return find(request)
                .flatMap(found -> found.state().equals(ResolutionState.PROPOSED.code())
                        ? Mono.just(found)
                        : Mono.error(notProposed("it is " + found.state())));
    }

    private static Problem notProposed(String why) {
        return Problem.of(ProblemCode.NOT_RESOLVABLE, "The decision does not wait for an operator: " + why);
    }

    private Mono<ProposedResolution> find(ServerRequest request) {
        return store.find(Route.variable(request, "id", Fields::uuid, ResolutionController::notFound))
                .switchIfEmpty(Mono.error(ResolutionController::notFound));
    }

    private static Problem notFound() {
        return Problem.of(ProblemCode.NOT_FOUND, "There is no such resolution");
    }

    private Mono<ServerResponse> show(ServerRequest request, Operator operator) {
        return find(request).flatMap(found -> AdminResponse.ok(ResolutionJson.of(found)));
    }

    /** {@code ?state=&after=} */
    private Mono<ServerResponse> list(ServerRequest request, Operator operator) {
        QueryParameters given = new QueryParameters(request.queryParams(), Set.of("state", "after"));
        ResolutionState state = given.parsed("state", ResolutionState::fromCode);
        UUID after = given.parsed("after", Fields::uuid);
        given.orThrow();
        return store.page(state, after)
                .flatMap(page -> AdminResponse.page("resolutions", page.map(ResolutionJson::of)));
    }

    private static @Nullable String reason(ObjectNode body, boolean isRequired) {
        Fields fields = new Fields(body);
        String reason =
                isRequired ? fields.requiredText("reason", REASON_MAX) : fields.optionalText("reason", REASON_MAX);
        fields.orThrow();
        return reason;
    }

    private Instant past(String text) {
        try {
            Instant time = OffsetDateTime.parse(text).toInstant();
            if (!time.isAfter(now())) {
                return time;
            }
        } catch (DateTimeException malformed) {
            // same message as for a future time
        }
        throw new IllegalArgumentException("expected a time in the past, such as 2026-01-31T12:00:00Z");
    }

    private Instant now() {
        return Instant.ofEpochMilli(clock.millis());
    }

    private record ResolutionJson(
            UUID id,
            String state,
            String decision,
            @Nullable UUID transaction,
            @Nullable UUID refund,
            @Nullable String unmatchedPayment,
            @Nullable String e2eId,
            @Nullable Instant paidAt,
            String reason,
            String proposedBy,
            Instant proposedAt,
            @Nullable String decidedBy,
            @Nullable String decidedReason,
            @Nullable Instant decidedAt,
            @Nullable Instant endedAt) {

        static ResolutionJson of(ProposedResolution stored) {
            return new ResolutionJson(
                    stored.id(),
                    stored.state(),
                    stored.decision(),
                    stored.transactionId(),
                    stored.refund(),
                    stored.unmatchedPayment(),
                    stored.endToEndId(),
                    stored.paidAt(),
                    stored.reason(),
                    stored.operator(),
                    stored.proposedAt(),
                    stored.decidedBy(),
                    stored.decidedReason(),
                    stored.decidedAt(),
                    stored.endedAt());
        }
    }
}
