package dev.ligeiro.gateway.operator.search;

import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.auth.KeyStore;
import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.gateway.http.request.QueryParameters;
import dev.ligeiro.gateway.operator.admin.AdminResponse;
import dev.ligeiro.gateway.operator.admin.AdminRoutes;
import dev.ligeiro.gateway.operator.admin.ManagementRoutes;
import dev.ligeiro.gateway.operator.admin.Operator;
import dev.ligeiro.gateway.store.merchant.MerchantStore;
import dev.ligeiro.transaction.Tenant;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** {@code GET /admin/keys/{id}/uses}: what an API key has done, for the day after a leak. */
@Component
class KeyUseController implements ManagementRoutes {

    private final AdminRoutes routes;
    private final KeyStore keys;
    private final MerchantStore merchants;
    private final KeyUseStore uses;

    KeyUseController(AdminRoutes routes, KeyStore keys, MerchantStore merchants, KeyUseStore uses) {
        this.routes = routes;
        this.keys = keys;
        this.merchants = merchants;
        this.uses = uses;
    }

    @Override
    public List<Route> routes() {
        return List.of(routes.get("/admin/keys/{id}/uses", this::list));
    }

    private Mono<ServerResponse> list(ServerRequest request, Operator operator) {
        UUID id = Route.variable(request, "id", Fields::uuid, KeyUseController::notFound);
        QueryParameters given = new QueryParameters(request.queryParams(), Set.of("after"));
        UUID after = given.parsed("after", Fields::uuid);
        given.orThrow();
        return keys.key(id)
                .flatMap(key ->
                        merchants.merchant(key.merchantId()).map(merchant -> Tenant.of(merchant.number(), key.mode())))
                .switchIfEmpty(Mono.error(KeyUseController::notFound))
                .flatMap(tenant -> uses.newest(tenant, id, after))
                .flatMap(page -> AdminResponse.page("uses", page.map(KeyUseJson::of)));
    }

    private static Problem notFound() {
        return Problem.of(ProblemCode.NOT_FOUND, "There is no such key");
    }

    private record KeyUseJson(
            Instant at,
            String what,
            @Nullable String detail,
            @Nullable UUID transactionId,
            @Nullable UUID endpointId,
            @Nullable UUID session) {

        static KeyUseJson of(KeyUseStore.KeyUse use) {
            return new KeyUseJson(
                    use.at(), use.what(), use.detail(), use.transactionId(), use.endpointId(), use.session());
        }
    }
}
