package dev.ligeiro.gateway.operator.admin;

import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.response.JsonResponse;
import dev.ligeiro.gateway.store.merchant.Merchant;
import java.net.URI;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.node.ObjectNode;

/** {@code /admin/merchants/{id}/platforms}: makes, lists and shows the platforms of a merchant. */
final class PlatformApi {

    private static final String ALL = "/admin/merchants/{id}/platforms";
    private static final String ID = "platform_id";

    private final AdminRoutes routes;
    private final AdministerMerchants merchants;

    PlatformApi(AdminRoutes routes, AdministerMerchants merchants) {
        this.routes = routes;
        this.merchants = merchants;
    }

    List<Route> routes() {
        return List.of(
                routes.postJson(ALL, this::create),
                routes.get(ALL, this::list),
                routes.get(ALL + "/{" + ID + "}", this::show));
    }

    private Mono<ServerResponse> create(ServerRequest request, Operator operator, ObjectNode body) {
        return merchants
                .addPlatform(AdminIds.merchant(request), PlatformRequest.parse(body))
                .flatMap(added -> JsonResponse.of(
                        ServerResponse.created(URI.create(request.path() + "/" + added.id())), json(added)));
    }

    private Mono<ServerResponse> list(ServerRequest request, Operator operator) {
        AdminQuery query = AdminQuery.parse(request.queryParams());
        return merchants
                .platforms(AdminIds.merchant(request), query.after())
                .flatMap(page -> JsonResponse.of(HttpStatus.OK, page.json("platforms", PlatformApi::write)));
    }

    private Mono<ServerResponse> show(ServerRequest request, Operator operator) {
        return merchants
                .platform(AdminIds.merchant(request), AdminIds.id(request, ID))
                .flatMap(platform -> JsonResponse.of(HttpStatus.OK, json(platform)));
    }

    private static byte[] json(Merchant.Platform platform) {
        return JsonResponse.object(json -> write(json, platform));
    }

    private static void write(JsonGenerator json, Merchant.Platform platform) {
        json.writeStringProperty("id", platform.id().toString());
        json.writeStringProperty("name", platform.name());
        json.writeStringProperty("mode", platform.mode().code());
    }
}
