package dev.ligeiro.gateway.merchant;

import static org.springframework.web.reactive.function.server.RequestPredicates.path;

import dev.ligeiro.gateway.http.Answers;
import dev.ligeiro.gateway.http.Fields;
import dev.ligeiro.gateway.http.JsonBody;
import dev.ligeiro.gateway.problem.Problem;
import dev.ligeiro.gateway.problem.ProblemCode;
import java.util.UUID;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** {@code /admin/…} on the management port: an operator makes merchants, their platforms and keys. */
final class AdminApi {

    private final AdminToken token;
    private final AdministerMerchants merchants;

    AdminApi(AdminToken token, AdministerMerchants merchants) {
        this.token = token;
        this.merchants = merchants;
    }

    RouterFunction<ServerResponse> routes() {
        return RouterFunctions.route()
                .path("/admin", admin -> admin.filter((request, next) -> {
                            token.require(request);
                            return next.handle(request).timeout(Answers.WAIT_MAX);
                        })
                        .add(adminRoutes()))
                .build();
    }

    private RouterFunction<ServerResponse> adminRoutes() {
        return RouterFunctions.route()
                .POST("/merchants", this::createMerchant)
                .POST("/merchants/{id}/platforms", this::addPlatform)
                .POST("/merchants/{id}/keys", this::addKey)
                .DELETE("/merchants/{id}/keys/{key_id}", this::removeKey)
                .PUT("/merchants/{id}/fees", this::setFees)
                .route(path("/merchants"), Answers.onlyAllows(HttpMethod.POST))
                .route(path("/merchants/{id}/platforms"), Answers.onlyAllows(HttpMethod.POST))
                .route(path("/merchants/{id}/keys"), Answers.onlyAllows(HttpMethod.POST))
                .route(path("/merchants/{id}/keys/{key_id}"), Answers.onlyAllows(HttpMethod.DELETE))
                .route(path("/merchants/{id}/fees"), Answers.onlyAllows(HttpMethod.PUT))
                .build();
    }

    private Mono<ServerResponse> createMerchant(ServerRequest request) {
        return JsonBody.read(request)
                .flatMap(body -> merchants.create(MerchantRequest.parse(body)))
                .flatMap(id -> created("id", id.toString()));
    }

    private Mono<ServerResponse> addPlatform(ServerRequest request) {
        UUID merchantId = id(request, "id");
        return JsonBody.read(request)
                .flatMap(body -> merchants.addPlatform(merchantId, PlatformRequest.parse(body)))
                .flatMap(id -> created("id", id.toString()));
    }

    private Mono<ServerResponse> addKey(ServerRequest request) {
        UUID merchantId = id(request, "id");
        return JsonBody.read(request)
                .flatMap(body -> merchants.addKey(merchantId, KeyRequest.parse(body)))
                .flatMap(made -> Answers.json(HttpStatus.CREATED, Answers.object(json -> {
                    json.writeStringProperty("id", made.id().toString());
                    json.writeStringProperty("key", made.key());
                })));
    }

    private Mono<ServerResponse> removeKey(ServerRequest request) {
        return merchants
                .removeKey(id(request, "id"), id(request, "key_id"))
                .then(ServerResponse.noContent().build());
    }

    private Mono<ServerResponse> setFees(ServerRequest request) {
        UUID merchantId = id(request, "id");
        return JsonBody.read(request)
                .flatMap(body -> merchants.setFees(merchantId, FeesRequest.parse(body)))
                .then(ServerResponse.noContent().build());
    }

    private static Mono<ServerResponse> created(String member, String value) {
        return Answers.json(HttpStatus.CREATED, Answers.object(json -> json.writeStringProperty(member, value)));
    }

    private static UUID id(ServerRequest request, String variable) {
        try {
            return Fields.uuid(request.pathVariable(variable));
        } catch (IllegalArgumentException malformed) {
            throw Problem.of(ProblemCode.NOT_FOUND, "There is no such merchant or key");
        }
    }
}
