package dev.ligeiro.gateway.operator.records;

import static java.util.Objects.requireNonNull;

import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.request.QueryParameters;
import dev.ligeiro.gateway.http.request.TimeText;
import dev.ligeiro.gateway.operator.admin.AdminResponse;
import dev.ligeiro.gateway.operator.admin.AdminRoutes;
import dev.ligeiro.gateway.operator.admin.ManagementRoutes;
import dev.ligeiro.gateway.operator.admin.Operator;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** {@code GET /admin/after-backup?since=&after=}: the transactions that a restored MongoDB does not have, or has in an earlier state. */
@Component
class AfterBackupController implements ManagementRoutes {

    /** More than the sum of the limits of the steps: reading a page, closing the consumer and one query. */
    private static final Duration LIST_MAX = Duration.ofSeconds(15);

    private final AdminRoutes routes;
    private final ListAfterBackup list;

    AfterBackupController(AdminRoutes routes, ListAfterBackup list) {
        this.routes = routes;
        this.list = list;
    }

    @Override
    public List<Route> routes() {
        return List.of(routes.get("/admin/after-backup", LIST_MAX, this::list));
    }

    /** {@code since}: records before this time are not read, since the backup has their effect. */
    private Mono<ServerResponse> list(ServerRequest request, Operator operator) {
        QueryParameters given = new QueryParameters(request.queryParams(), Set.of("since", "after"));
        Instant since = given.requiredParsed("since", AfterBackupController::since);
        RecordAt after = given.parsed("after", AfterBackupController::after);
        given.orThrow();
        return list.list(requireNonNull(since), after).flatMap(AdminResponse::ok);
    }

    private static Instant since(String text) {
        Instant since = TimeText.parse(text);
        if (since.isBefore(Instant.EPOCH)) {
            throw new IllegalArgumentException("expected a time after 1970");
        }
        return since;
    }

    private static RecordAt after(String text) {
        RecordAt after = RecordAt.parse(text);
        if (!ListAfterBackup.TOPICS.contains(after.partition().topic())) {
            throw new IllegalArgumentException("expected the next_cursor of a page");
        }
        return after;
    }
}
