package dev.ligeiro.gateway.admin;

import dev.ligeiro.gateway.api.Route;
import dev.ligeiro.gateway.http.ExpiryField;
import dev.ligeiro.gateway.http.Fields;
import dev.ligeiro.gateway.http.JsonResponse;
import dev.ligeiro.gateway.problem.Problem;
import dev.ligeiro.gateway.problem.ProblemCode;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ObjectNode;

/** {@code /admin/…} on the management port: the operator creates merchants, their platforms and API keys. */
final class AdminApi {

    private final AdminToken token;
    private final AdministerMerchants merchants;

    AdminApi(AdminToken token, AdministerMerchants merchants) {
        this.token = token;
        this.merchants = merchants;
    }

    List<Route> routes() {
        return List.of(
                Route.postJson("/admin/merchants", token, (request, operator, body) -> createMerchant(body)),
                Route.postJson("/admin/merchants/{id}/platforms", token, this::addPlatform),
                Route.postJson("/admin/merchants/{id}/keys", token, this::addKey),
                Route.delete("/admin/merchants/{id}/keys/{key_id}", token, this::removeKey),
                Route.putJson("/admin/merchants/{id}/fees", token, this::setFees),
                Route.putJson("/admin/merchants/{id}/expiry", token, this::setExpiry));
    }

    private Mono<ServerResponse> createMerchant(ObjectNode body) {
        return merchants.create(MerchantRequest.parse(body)).flatMap(id -> created("id", id.toString()));
    }

    private Mono<ServerResponse> addPlatform(ServerRequest request, Operator operator, ObjectNode body) {
        return merchants
                .addPlatform(id(request, "id"), PlatformRequest.parse(body))
                .flatMap(id -> created("id", id.toString()));
    }

    private Mono<ServerResponse> addKey(ServerRequest request, Operator operator, ObjectNode body) {
        return merchants
                .addKey(id(request, "id"), KeyRequest.parse(body))
                .flatMap(added -> JsonResponse.of(HttpStatus.CREATED, JsonResponse.object(json -> {
                    json.writeStringProperty("id", added.id().toString());
                    json.writeStringProperty("key", added.key());
                })));
    }

    private Mono<ServerResponse> removeKey(ServerRequest request, Operator operator) {
        return merchants
                .removeKey(id(request, "id"), id(request, "key_id"))
                .then(ServerResponse.noContent().build());
    }

    private Mono<ServerResponse> setFees(ServerRequest request, Operator operator, ObjectNode body) {
        return merchants
                .setFees(id(request, "id"), FeesRequest.parse(body))
                .then(ServerResponse.noContent().build());
    }

    /** {@code {expires_in?}}; without it, the installation's default holds again. */
    private Mono<ServerResponse> setExpiry(ServerRequest request, Operator operator, ObjectNode body) {
        Fields fields = new Fields(body);
        Duration expiresIn = ExpiryField.optional(fields);
        fields.orThrow();
        return merchants
                .setExpiry(id(request, "id"), expiresIn)
                .then(ServerResponse.noContent().build());
    }

    private static Mono<ServerResponse> created(String member, String value) {
        return JsonResponse.of(
                HttpStatus.CREATED, JsonResponse.object(json -> json.writeStringProperty(member, value)));
    }

    private static UUID id(ServerRequest request, String variable) {
        try {
            return Fields.uuid(request.pathVariable(variable));
        } catch (IllegalArgumentException malformed) {
            throw Problem.of(ProblemCode.NOT_FOUND, "There is no such merchant or key");
        }
    }
}
