package dev.ligeiro.gateway.operator.webhook;

import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.gateway.http.response.JsonResponse;
import dev.ligeiro.gateway.operator.admin.AdminRoutes;
import dev.ligeiro.gateway.operator.admin.Operator;
import dev.ligeiro.gateway.operator.webhook.EncryptAgain.Step;
import java.util.List;
import java.util.UUID;
import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ObjectNode;

/** {@code POST /admin/webhook-secrets/encrypt-again} on the management port. */
final class SecretsApi {

    private final AdminRoutes routes;
    private final EncryptAgain encryptAgain;

    SecretsApi(AdminRoutes routes, EncryptAgain encryptAgain) {
        this.routes = routes;
        this.encryptAgain = encryptAgain;
    }

    List<Route> routes() {
        return List.of(routes.postJson("/admin/webhook-secrets/encrypt-again", this::encryptAgain));
    }

    private Mono<ServerResponse> encryptAgain(ServerRequest request, Operator operator, ObjectNode body) {
        Fields fields = new Fields(body);
        UUID after = fields.optionalParsed("after", Fields::uuid);
        fields.orThrow();
        return encryptAgain.step(after).flatMap(step -> JsonResponse.of(HttpStatus.OK, json(step)));
    }

    private static byte[] json(Step step) {
        return JsonResponse.object(json -> {
            json.writeNumberProperty("encrypted", step.encrypted());
            json.writeArrayPropertyStart("unreadable");
            step.unreadable().forEach(id -> json.writeString(id.toString()));
            json.writeEndArray();
            json.writeStringProperty(
                    "next_cursor", step.next() == null ? null : step.next().toString());
        });
    }
}
