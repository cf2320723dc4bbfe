package dev.ligeiro.gateway.operator.attention;

import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.request.QueryParameters;
import dev.ligeiro.gateway.operator.admin.AdminResponse;
import dev.ligeiro.gateway.operator.admin.AdminRoutes;
import dev.ligeiro.gateway.operator.admin.ManagementRoutes;
import dev.ligeiro.gateway.operator.admin.Operator;
import dev.ligeiro.gateway.operator.attention.AttentionStore.PageCursor;
import dev.ligeiro.transaction.TransactionId;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** {@code GET /admin/unsettled?older_than=&after=} and {@code GET /admin/unmatched-payments?after=}. */
@Component
class AttentionController implements ManagementRoutes {

    private static final Duration OLDER_THAN_DEFAULT = Duration.ofMinutes(10);
    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,9}");

    private final AdminRoutes routes;
    private final AttentionStore store;
    private final Clock clock;

    AttentionController(AdminRoutes routes, AttentionStore store, Clock clock) {
        this.routes = routes;
        this.store = store;
        this.clock = clock;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                routes.get("/admin/unsettled", this::unsettled),
                routes.get("/admin/unmatched-payments", this::unmatched));
    }

    private Mono<ServerResponse> unsettled(ServerRequest request, Operator operator) {
        QueryParameters given = new QueryParameters(request.queryParams(), Set.of("older_than", "after"));
        Duration olderThan = given.parsed("older_than", AttentionController::seconds);
        PageCursor after = given.parsed("after", AttentionController::transaction);
        given.orThrow();
        return store.unsettled(clock.instant(), olderThan == null ? OLDER_THAN_DEFAULT : olderThan, after)
                .flatMap(page -> AdminResponse.page("unsettled", page));
    }

    private Mono<ServerResponse> unmatched(ServerRequest request, Operator operator) {
        QueryParameters given = new QueryParameters(request.queryParams(), Set.of("state", "after"));
        Boolean resolved = given.parsed("state", AttentionController::isResolved);
        PageCursor after = given.parsed("after", PageCursor::parse);
        given.orThrow();
        return store.unmatched(clock.instant(), Boolean.TRUE.equals(resolved), after)
                .flatMap(page -> AdminResponse.page("unmatched_payments", page));
    }

    private static Boolean isResolved(String text) {
        return switch (text) {
            case "open" -> false;
            case "resolved" -> true;
            default -> throw new IllegalArgumentException("expected open or resolved");
        };
    }

    private static Duration seconds(String text) {
        if (!SECONDS.matcher(text).matches()) {
            throw new IllegalArgumentException("expected a number of seconds, at most 999999999");
        }
        return Duration.ofSeconds(Long.parseLong(text));
    }

    static PageCursor transaction(String text) {
        PageCursor cursor = PageCursor.parse(text);
        if (TransactionId.parse(cursor.id()).isEmpty()) {
            throw new IllegalArgumentException("expected the next_cursor of a page");
        }
        return cursor;
    }
}
