package dev.ligeiro.gateway.api.webhook.delivery;

import static dev.ligeiro.gateway.api.webhook.EndpointRoutes.ONE;

import dev.ligeiro.gateway.api.webhook.EndpointRoutes;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.Routes;
import dev.ligeiro.gateway.http.limit.UnsentPages;
import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
import dev.ligeiro.gateway.http.response.JsonResponse;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.util.List;
import java.util.UUID;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** The routes of an endpoint's deliveries: lists them, schedules one again, and sends a test event. */
@Component
@Order(4)
class DeliveryController implements Routes {

    private final EndpointRoutes endpoints;
    private final DeliveryListStore store;
    private final ScheduleDelivery schedule;
    private final DeliveryJson json;
    private final UnsentPages pages;

    DeliveryController(
            EndpointRoutes endpoints,
            DeliveryListStore store,
            ScheduleDelivery schedule,
            DeliveryJson json,
            UnsentPages pages) {
        this.endpoints = endpoints;
        this.store = store;
        this.schedule = schedule;
        this.json = json;
        this.pages = pages;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                endpoints.page(ONE + "/deliveries", endpoints.found(this::list)),
                endpoints.post(ONE + "/deliveries/{delivery_id}/redeliver", endpoints.found(this::redeliver)),
                endpoints.post(ONE + "/test", endpoints.found(this::sendTestEvent)));
    }

    private Mono<ServerResponse> list(ServerRequest request, WebhookEndpoint endpoint) {
        return store.page(DeliveryQuery.parse(endpoint.id(), request.queryParams()))
                .flatMap(page -> pages.send(endpoint.tenant(), json.page(page)));
    }

    private Mono<ServerResponse> redeliver(ServerRequest request, WebhookEndpoint endpoint) {
        return schedule.again(endpoint, id(request, endpoint.id()))
                .switchIfEmpty(Mono.error(DeliveryController::notFound))
                .flatMap(delivery -> JsonResponse.of(HttpStatus.ACCEPTED, json.one(delivery)));
    }

    private Mono<ServerResponse> sendTestEvent(ServerRequest request, WebhookEndpoint endpoint) {
        return schedule.testEvent(endpoint)
                .flatMap(delivery -> JsonResponse.of(HttpStatus.ACCEPTED, json.one(delivery)));
    }

    private static DeliveryId id(ServerRequest request, UUID endpointId) {
        try {
            return DeliveryKey.parse(request.pathVariable("delivery_id"), endpointId);
        } catch (IllegalArgumentException otherwise) {
            throw notFound();
        }
    }

    private static Problem notFound() {
        return Problem.of(ProblemCode.NOT_FOUND, "This webhook endpoint has no delivery with this id");
    }
}
