package dev.ligeiro.gateway.operator.attention;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
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
import dev.ligeiro.gateway.operator.attention.BreakListStore.BreakItem;
import dev.ligeiro.store.BreakKind;
import dev.ligeiro.transaction.Codes;
import dev.ligeiro.transaction.Mode;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code GET /admin/breaks?rail=&kind=&state=&after=}, and {@code POST /admin/breaks/{id}/close}: an operator has found out why the books
 * and a rail differ. It moves no money.
 */
@Component
class BreakController implements ManagementRoutes {

    private static final String PATH = "/admin/breaks";
    private static final int REASON_MAX = 255;
    private static final Codes<BreakKind> KINDS = new Codes<>(BreakKind.class);

    private final AdminRoutes routes;
    private final BreakListStore store;
    private final MerchantNames names;
    private final Clock clock;

    BreakController(AdminRoutes routes, BreakListStore store, MerchantNames names, Clock clock) {
        this.routes = routes;
        this.store = store;
        this.names = names;
        this.clock = clock;
    }

    @Override
    public List<Route> routes() {
        return List.of(routes.get(PATH, this::list), routes.postJson(PATH + "/{id}/close", Role.MONEY, this::close));
    }

    private Mono<ServerResponse> list(ServerRequest request, Operator operator) {
        QueryParameters given = new QueryParameters(request.queryParams(), Set.of("rail", "kind", "state", "after"));
        String rail = given.parsed("rail", text -> text);
        BreakKind kind = given.parsed("kind", BreakController::kind);
        Boolean isClosed = given.parsed("state", BreakController::isClosed);
        PageCursor after = given.parsed("after", BreakController::cursor);
        given.orThrow();
        return store.list(clock.instant(), Boolean.TRUE.equals(isClosed), rail, kind, after)
                .flatMap(page -> names.ofTenants(page, BreakItem::tenant, BreakJson::of))
                .flatMap(page -> AdminResponse.page("breaks", page));
    }

    /** {@code {reason}} */
    private Mono<ServerResponse> close(ServerRequest request, Operator operator, ObjectNode body) {
        UUID id = Route.variable(request, "id", Fields::uuid, BreakController::notFound);
        Fields fields = new Fields(body);
        String reason = fields.requiredText("reason", REASON_MAX);
        fields.orThrow();
        Instant now = Instant.ofEpochMilli(clock.millis());
        return store.close(id, requireNonNull(reason), operator.name(), now)
                .switchIfEmpty(Mono.error(BreakController::notFound))
                .flatMap(closed -> closed.tenant() == null
                        ? Mono.just(BreakJson.of(closed, NamedMerchant.NONE))
                        : names.of(closed.tenant()).map(merchant -> BreakJson.of(closed, merchant)))
                .flatMap(AdminResponse::ok);
    }

    /** @param mode null for a break of no merchant */
    private record BreakJson(
            @JsonUnwrapped BreakItem found, @JsonUnwrapped NamedMerchant merchant, @Nullable Mode mode) {

        static BreakJson of(BreakItem found, NamedMerchant merchant) {
            return new BreakJson(
                    found,
                    merchant,
                    found.tenant() == null ? null : found.tenant().mode());
        }
    }

    private static Problem notFound() {
        return Problem.of(ProblemCode.NOT_FOUND, "There is no such open break");
    }

    private static BreakKind kind(String text) {
        return KINDS.find(text)
                .orElseThrow(() -> new IllegalArgumentException("expected one of "
                        + List.of(BreakKind.values()).stream()
                                .map(BreakKind::code)
                                .toList()));
    }

    private static boolean isClosed(String text) {
        return switch (text) {
            case "open" -> false;
            case "closed" -> true;
            default -> throw new IllegalArgumentException("expected open or closed");
        };
    }

    private static PageCursor cursor(String text) {
        PageCursor cursor = PageCursor.parse(text);
        Fields.uuid(cursor.id());
        return cursor;
    }
}
