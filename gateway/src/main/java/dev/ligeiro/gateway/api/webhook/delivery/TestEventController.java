package dev.ligeiro.gateway.api.webhook.delivery;

import dev.ligeiro.gateway.api.webhook.EndpointRoutes;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.Routes;
import dev.ligeiro.gateway.http.response.JsonResponse;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.util.List;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** {@code POST /api/v1/webhooks/{id}/test}. */
@Component
@Order(4)
class TestEventController implements Routes {

    private final EndpointRoutes endpoints;
    private final SendTestEvent sendTestEvent;
    private final DeliveryJson json;

    TestEventController(EndpointRoutes endpoints, SendTestEvent sendTestEvent, DeliveryJson json) {
        this.endpoints = endpoints;
        this.sendTestEvent = sendTestEvent;
        this.json = json;
    }

    @Override
    public List<Route> routes() {
        return List.of(endpoints.post("/test", this::send));
    }

    private Mono<ServerResponse> send(ServerRequest request, WebhookEndpoint endpoint) {
        return sendTestEvent
                .send(endpoint)
                .flatMap(delivery -> JsonResponse.of(HttpStatus.ACCEPTED, json.one(delivery)));
    }
}
