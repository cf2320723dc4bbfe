package dev.ligeiro.gateway.api.webhook.delivery;

import static dev.ligeiro.gateway.api.webhook.EndpointRoutes.ONE;

import dev.ligeiro.gateway.api.webhook.EndpointChangeStore;
import dev.ligeiro.gateway.api.webhook.EndpointRoutes;
import dev.ligeiro.gateway.api.webhook.RegisteredEndpointStore;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.Routes;
import dev.ligeiro.gateway.http.limit.UnsentPages;
import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.gateway.http.request.QueryParameters;
import dev.ligeiro.gateway.http.response.JsonResponse;
import dev.ligeiro.store.StoredDelivery;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.StatusFilter;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
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
    private final EndpointChangeStore changes;
    private final DeliveryListStore store;
    private final RegisteredEndpointStore registered;
    private final ScheduleDelivery schedule;
    private final UnsentPages pages;
    private final DeliveryJson json;

    DeliveryController(
            EndpointRoutes endpoints,
            EndpointChangeStore changes,
            DeliveryListStore store,
            RegisteredEndpointStore registered,
            ScheduleDelivery schedule,
            UnsentPages pages,
            DeliveryJson json) {
        this.endpoints = endpoints;
        this.changes = changes;
        this.store = store;
        this.registered = registered;
        this.schedule = schedule;
        this.pages = pages;
        this.json = json;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                Route.get(ONE + "/deliveries", endpoints.pages(), endpoints.found(this::list)),
                Route.post(
                        ONE + "/deliveries/{delivery_id}/redeliver",
                        endpoints.requests(),
                        changes.storing("redeliver", endpoints.found(this::redeliver))),
                Route.post(
                        ONE + "/test",
                        endpoints.requests(),
                        changes.storing("test", endpoints.found(this::sendTestEvent))));
    }

    private Mono<ServerResponse> list(ServerRequest request, WebhookEndpoint endpoint) {
        QueryParameters given = new QueryParameters(request.queryParams(), Set.of("status", "transaction_id", "after"));
        StatusFilter status = given.parsed("status", StatusFilter::parse);
        DeliveryId after = given.parsed("after", text -> DeliveryId.parse(text, endpoint.id()));
        TransactionId transaction = given.parsed("transaction_id", text -> new TransactionId(Fields.uuid(text)));
        given.orThrow();
        return store.page(endpoint.id(), status, transaction, after).flatMap(page -> registered
                .health(List.of(endpoint.id()))
                .flatMap(health -> pages.send(
                        endpoint.tenant(), json.page(page, endpoint, pausedUntil(health.get(endpoint.id()))))));
    }

    private static @Nullable Instant pausedUntil(RegisteredEndpointStore.@Nullable Health health) {
        return health == null || health.pausedUntil() == null
                ? null
                : health.pausedUntil().toInstant();
    }

    private Mono<ServerResponse> redeliver(ServerRequest request, WebhookEndpoint endpoint) {
        DeliveryId id = Route.variable(
                request, "delivery_id", text -> DeliveryId.parse(text, endpoint.id()), DeliveryController::notFound);
        return schedule.again(endpoint, id)
                .switchIfEmpty(Mono.error(DeliveryController::notFound))
                .flatMap(this::accepted);
    }

    private Mono<ServerResponse> sendTestEvent(ServerRequest request, WebhookEndpoint endpoint) {
        return schedule.testEvent(endpoint).flatMap(this::accepted);
    }

    private Mono<ServerResponse> accepted(StoredDelivery delivery) {
        return JsonResponse.of(HttpStatus.ACCEPTED, json.one(delivery));
    }

    private static Problem notFound() {
        return Problem.of(ProblemCode.NOT_FOUND, "This webhook endpoint has no delivery with this id");
    }
}
