package dev.ligeiro.gateway.delivery;

import dev.ligeiro.gateway.api.Access;
import dev.ligeiro.gateway.api.Route;
import dev.ligeiro.gateway.api.Routes;
import dev.ligeiro.gateway.http.JsonResponse;
import dev.ligeiro.gateway.merchant.Caller;
import dev.ligeiro.gateway.merchant.Callers;
import dev.ligeiro.gateway.merchant.Scope;
import dev.ligeiro.gateway.problem.Problem;
import dev.ligeiro.gateway.problem.ProblemCode;
import dev.ligeiro.gateway.webhook.EndpointPath;
import dev.ligeiro.gateway.webhook.EndpointStore;
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

/** {@code /api/v1/webhooks/{id}/deliveries}: lists the deliveries of an endpoint, and schedules one again; sends a test event. */
@Component
@Order(4)
class DeliveryController implements Routes {

    private static final String ALL = EndpointPath.ONE + "/deliveries";

    private final Callers callers;
    private final EndpointStore endpoints;
    private final DeliveryListStore store;
    private final Redeliver redeliver;
    private final SendTestEvent sendTestEvent;
    private final DeliveryJson json;

    DeliveryController(
            Callers callers,
            EndpointStore endpoints,
            DeliveryListStore store,
            Redeliver redeliver,
            SendTestEvent sendTestEvent,
            DeliveryJson json) {
        this.callers = callers;
        this.endpoints = endpoints;
        this.store = store;
        this.redeliver = redeliver;
        this.sendTestEvent = sendTestEvent;
        this.json = json;
    }

    @Override
    public List<Route> routes() {
        Access<Caller> manage = callers.with(Scope.WEBHOOKS_MANAGE);
        return List.of(
                Route.get(ALL, manage, this::list),
                Route.post(ALL + "/{delivery_id}/redeliver", manage, this::redeliver),
                Route.post(EndpointPath.ONE + "/test", manage, this::test));
    }

    private Mono<ServerResponse> list(ServerRequest request, Caller caller) {
        return endpoint(request, caller)
                .map(endpoint -> DeliveryQuery.parse(endpoint.id(), request.queryParams()))
                .flatMap(store::page)
                .flatMap(page -> JsonResponse.of(HttpStatus.OK, json.page(page)));
    }

    private Mono<ServerResponse> redeliver(ServerRequest request, Caller caller) {
        return endpoint(request, caller)
                .flatMap(endpoint -> redeliver.redeliver(endpoint, id(request, endpoint.id())))
                .switchIfEmpty(Mono.error(DeliveryController::notFound))
                .flatMap(delivery -> JsonResponse.of(HttpStatus.ACCEPTED, json.one(delivery)));
    }

    private Mono<ServerResponse> test(ServerRequest request, Caller caller) {
        return endpoint(request, caller)
                .flatMap(sendTestEvent::send)
                .flatMap(delivery -> JsonResponse.of(HttpStatus.ACCEPTED, json.one(delivery)));
    }

    private Mono<WebhookEndpoint> endpoint(ServerRequest request, Caller caller) {
        return endpoints
                .find(caller.tenant(), EndpointPath.id(request))
                .switchIfEmpty(Mono.error(EndpointPath::notFound));
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
