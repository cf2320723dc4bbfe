package dev.ligeiro.gateway.operator.admin;

import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.request.ExpiryField;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.gateway.http.response.JsonResponse;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ObjectNode;

/** {@code /admin/merchants}: makes, lists, shows and changes merchants, with their fees, limits and expiry. */
final class MerchantApi {

    private static final String ALL = "/admin/merchants";
    private static final String ONE = "/admin/merchants/{id}";

    private final AdminRoutes routes;
    private final AdministerMerchants merchants;

    MerchantApi(AdminRoutes routes, AdministerMerchants merchants) {
        this.routes = routes;
        this.merchants = merchants;
    }

    List<Route> routes() {
        return List.of(
                routes.postJson(ALL, (request, operator, body) -> create(body)),
                routes.get(ALL, this::list),
                routes.get(ONE, this::show),
                routes.patchJson(ONE, this::change),
                routes.putJson(ONE + "/fees", this::setFees),
                routes.putJson(ONE + "/limits", this::setLimits),
                routes.putJson(ONE + "/expiry", this::setExpiry));
    }

    private Mono<ServerResponse> create(ObjectNode body) {
        return merchants
                .create(MerchantRequest.parse(body))
                .flatMap(merchant -> JsonResponse.of(
                        ServerResponse.created(URI.create(ALL + "/" + merchant.id())), MerchantJson.one(merchant)));
    }

    private Mono<ServerResponse> list(ServerRequest request, Operator operator) {
        AdminQuery query = AdminQuery.parse(request.queryParams());
        return merchants
                .page(query.after())
                .flatMap(page -> JsonResponse.of(HttpStatus.OK, page.json("merchants", MerchantJson::write)));
    }

    private Mono<ServerResponse> show(ServerRequest request, Operator operator) {
        return merchants
                .merchant(AdminIds.merchant(request))
                .flatMap(merchant -> JsonResponse.of(HttpStatus.OK, MerchantJson.one(merchant)));
    }

    private Mono<ServerResponse> change(ServerRequest request, Operator operator, ObjectNode body) {
        return merchants
                .change(AdminIds.merchant(request), MerchantPatch.parse(body))
                .then(show(request, operator));
    }

    private Mono<ServerResponse> setFees(ServerRequest request, Operator operator, ObjectNode body) {
        return merchants
                .setFees(AdminIds.merchant(request), FeesRequest.parse(body))
                .then(ServerResponse.noContent().build());
    }

    private Mono<ServerResponse> setLimits(ServerRequest request, Operator operator, ObjectNode body) {
        return merchants
                .setLimits(AdminIds.merchant(request), LimitsRequest.parse(body))
                .then(ServerResponse.noContent().build());
    }

    /** {@code {expires_in?}}; without it, the installation's default holds again. */
    private Mono<ServerResponse> setExpiry(ServerRequest request, Operator operator, ObjectNode body) {
        Fields fields = new Fields(body);
        Duration expiresIn = ExpiryField.optional(fields);
        fields.orThrow();
        return merchants
                .setExpiry(AdminIds.merchant(request), expiresIn)
                .then(ServerResponse.noContent().build());
    }
}
