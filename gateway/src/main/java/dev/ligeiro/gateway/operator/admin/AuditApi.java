package dev.ligeiro.gateway.operator.admin;

import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.response.JsonResponse;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.core.JsonGenerator;

/** {@code GET /admin/audit}: which operator has done what, and when. */
final class AuditApi {

    private final AdminRoutes routes;
    private final AuditStore store;

    AuditApi(AdminRoutes routes, AuditStore store) {
        this.routes = routes;
        this.store = store;
    }

    List<Route> routes() {
        return List.of(routes.get("/admin/audit", this::list));
    }

    private Mono<ServerResponse> list(ServerRequest request, Operator operator) {
        AdminQuery query = AdminQuery.parseOfAudit(request.queryParams());
        return store.page(query.merchantId(), query.after())
                .flatMap(page -> JsonResponse.of(HttpStatus.OK, page.json("audit", AuditApi::write)));
    }

    private static void write(JsonGenerator json, AuditEntry entry) {
        json.writeStringProperty("id", entry.id().toString());
        json.writeStringProperty("at", entry.at().toString());
        json.writeStringProperty("operator", entry.operator());
        json.writeStringProperty("action", entry.request().action());
        json.writeStringProperty("path", entry.request().path());
        json.writeStringProperty("body", entry.request().body());
        json.writeStringProperty("created", entry.created());
        if (entry.status() == null) {
            json.writeNullProperty("status");
        } else {
            json.writeNumberProperty("status", entry.status());
        }
        json.writeStringProperty("request_id", entry.request().id());
    }
}
