package dev.ligeiro.gateway.operator.admin;

import dev.ligeiro.gateway.api.webhook.EndpointProperties;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.request.Fields;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code GET /admin/webhook-networks}: the internal networks that webhooks may call, which are a setting of the installation.
 * {@code POST /admin/webhook-secrets/encrypt-again}: encrypts stored secrets with the current key.
 */
@Component
class WebhookOperationsController implements ManagementRoutes {

    private final AdminRoutes routes;
    private final EndpointProperties properties;
    private final EncryptAgain encryptAgain;

    WebhookOperationsController(AdminRoutes routes, EndpointProperties properties, EncryptAgain encryptAgain) {
        this.routes = routes;
        this.properties = properties;
        this.encryptAgain = encryptAgain;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                routes.get("/admin/webhook-networks", this::networks),
                routes.postJson("/admin/webhook-secrets/encrypt-again", this::encryptAgain));
    }

    private Mono<ServerResponse> networks(ServerRequest request, Operator operator) {
        List<String> networks =
                properties.networks().networks().stream().map(Object::toString).toList();
        return AdminResponse.ok(Map.of("networks", networks));
    }

    private Mono<ServerResponse> encryptAgain(ServerRequest request, Operator operator, ObjectNode body) {
        Fields fields = new Fields(body);
        UUID after = fields.optionalParsed("after", Fields::uuid);
        fields.orThrow();
        return encryptAgain.step(after).flatMap(AdminResponse::ok);
    }
}
