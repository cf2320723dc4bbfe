package dev.ligeiro.gateway.operator.admin;

import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.response.JsonResponse;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ObjectNode;

/** {@code /admin/merchants/{id}/keys}: makes, lists, shows, rotates and revokes the API keys of a merchant. */
final class KeyApi {

    private static final String ALL = "/admin/merchants/{id}/keys";
    private static final String ID = "key_id";
    private static final String ONE = ALL + "/{" + ID + "}";

    private final AdminRoutes routes;
    private final AdministerKeys keys;
    private final Clock clock;

    KeyApi(AdminRoutes routes, AdministerKeys keys, Clock clock) {
        this.routes = routes;
        this.keys = keys;
        this.clock = clock;
    }

    List<Route> routes() {
        return List.of(
                routes.postJson(ALL, this::create),
                routes.get(ALL, this::list),
                routes.get(ONE, this::show),
                routes.postJson(ONE + "/rotate", this::rotate),
                routes.delete(ONE, this::revoke));
    }

    private Mono<ServerResponse> create(ServerRequest request, Operator operator, ObjectNode body) {
        return keys.add(AdminIds.merchant(request), KeyRequest.parse(body, clock.instant()))
                .flatMap(added -> JsonResponse.of(
                        ServerResponse.created(location(added)), KeyJson.added(added, null, clock.instant())));
    }

    private Mono<ServerResponse> list(ServerRequest request, Operator operator) {
        AdminQuery query = AdminQuery.parse(request.queryParams());
        return keys.page(AdminIds.merchant(request), query.after())
                .flatMap(page -> JsonResponse.of(
                        HttpStatus.OK, page.json("keys", (json, key) -> KeyJson.write(json, key, clock.instant()))));
    }

    private Mono<ServerResponse> show(ServerRequest request, Operator operator) {
        return keys.key(AdminIds.merchant(request), AdminIds.id(request, ID))
                .flatMap(key -> JsonResponse.of(HttpStatus.OK, KeyJson.one(key, clock.instant())));
    }

    private Mono<ServerResponse> rotate(ServerRequest request, Operator operator, ObjectNode body) {
        return keys.rotate(
                        AdminIds.merchant(request),
                        AdminIds.id(request, ID),
                        RotateRequest.parse(body, clock.instant()))
                .flatMap(rotated -> JsonResponse.of(
                        ServerResponse.created(location(rotated.added())),
                        KeyJson.added(rotated.added(), rotated.previous(), clock.instant())));
    }

    private Mono<ServerResponse> revoke(ServerRequest request, Operator operator) {
        return keys.revoke(AdminIds.merchant(request), AdminIds.id(request, ID))
                .then(ServerResponse.noContent().build());
    }

    private static URI location(AddedKey added) {
        return URI.create(ALL.replace("{id}", added.stored().merchantId().toString()) + "/"
                + added.stored().id());
    }
}
