package dev.ligeiro.gateway.api.webhook.delivery;

import static dev.ligeiro.gateway.api.webhook.EndpointRoutes.ONE;

import dev.ligeiro.gateway.api.webhook.EndpointRoutes;
import dev.ligeiro.gateway.http.GatewayProperties;
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
import dev.ligeiro.view.Timestamps;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.core.JsonGenerator;

/** The routes of an endpoint's deliveries: lists them, schedules one again, and sends a test event. */
@Component
@Order(4)
class DeliveryController implements Routes {

    /** Then base64url. */
    private static final String PREFIX = "dlv_";

    private final EndpointRoutes endpoints;
    private final DeliveryListStore store;
    private final ScheduleDelivery schedule;
    private final UnsentPages pages;
    private final Timestamps timestamps;

    DeliveryController(
            EndpointRoutes endpoints,
            DeliveryListStore store,
            ScheduleDelivery schedule,
            UnsentPages pages,
            GatewayProperties properties) {
        this.endpoints = endpoints;
        this.store = store;
        this.schedule = schedule;
        this.pages = pages;
        this.timestamps = new Timestamps(properties.timeZone());
    }

    @Override
    public List<Route> routes() {
        return List.of(
                Route.get(ONE + "/deliveries", endpoints.pages(), endpoints.found(this::list)),
                Route.post(
                        ONE + "/deliveries/{delivery_id}/redeliver",
                        endpoints.requests(),
                        endpoints.found(this::redeliver)),
                Route.post(ONE + "/test", endpoints.requests(), endpoints.found(this::sendTestEvent)));
    }

    private Mono<ServerResponse> list(ServerRequest request, WebhookEndpoint endpoint) {
        QueryParameters given = new QueryParameters(request.queryParams(), Set.of("status", "transaction_id", "after"));
        StatusFilter status = given.parsed("status", StatusFilter::parse);
        DeliveryId after = given.parsed("after", text -> id(text, endpoint.id()));
        TransactionId transaction = given.parsed("transaction_id", text -> new TransactionId(Fields.uuid(text)));
        given.orThrow();
        return store.page(endpoint.id(), status, transaction, after)
                .flatMap(page -> pages.send(endpoint.tenant(), json(page)));
    }

    private Mono<ServerResponse> redeliver(ServerRequest request, WebhookEndpoint endpoint) {
        DeliveryId id =
                Route.variable(request, "delivery_id", text -> id(text, endpoint.id()), DeliveryController::notFound);
        return schedule.again(endpoint, id)
                .switchIfEmpty(Mono.error(DeliveryController::notFound))
                .flatMap(this::accepted);
    }

    private Mono<ServerResponse> sendTestEvent(ServerRequest request, WebhookEndpoint endpoint) {
        return schedule.testEvent(endpoint).flatMap(this::accepted);
    }

    private Mono<ServerResponse> accepted(StoredDelivery delivery) {
        return JsonResponse.of(HttpStatus.ACCEPTED, JsonResponse.object(json -> write(json, delivery)));
    }

    /** The id of a delivery as text. It is also the cursor of a page that ends with the delivery. */
    static String text(DeliveryId id) {
        return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(id.bytes());
    }

    /** @throws IllegalArgumentException if {@code text} is not the id of a delivery to this endpoint */
    static DeliveryId id(String text, UUID endpointId) {
        try {
            DeliveryId id = DeliveryId.of(
                    Base64.getUrlDecoder().decode(text.startsWith(PREFIX) ? text.substring(PREFIX.length()) : ""));
            // only the one text that stands for the id
            if (id.endpointId().equals(endpointId) && text(id).equals(text)) {
                return id;
            }
        } catch (IllegalArgumentException malformed) {
            // same message as for the id of another endpoint's delivery
        }
        throw new IllegalArgumentException("expected the next_cursor of a page of this endpoint's deliveries");
    }

    private static Problem notFound() {
        return Problem.of(ProblemCode.NOT_FOUND, "This webhook endpoint has no delivery with this id");
    }

    private byte[] json(DeliveryListStore.Page page) {
        return JsonResponse.object(json -> {
            json.writeArrayPropertyStart("deliveries");
            for (StoredDelivery delivery : page.items()) {
                json.writeStartObject();
                write(json, delivery);
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeStringProperty("next_cursor", page.next() == null ? null : text(page.next()));
        });
    }

    /** Empty for a test event, which has none. */
    private static String transactionId(StoredDelivery delivery) {
        return delivery.eventType().equals(TestEvent.TYPE)
                ? ""
                : delivery.id().eventId().transactionId().toString();
    }

    private void write(JsonGenerator json, StoredDelivery delivery) {
        json.writeStringProperty("id", text(delivery.id()));
        json.writeStringProperty("event_id", delivery.id().eventId().toString());
        json.writeStringProperty("event_type", delivery.eventType());
        json.writeStringProperty("transaction_id", transactionId(delivery));
        json.writeStringProperty("status", delivery.status());
        json.writeStringProperty(
                "next_attempt_at", delivery.nextAttemptAt() == null ? "" : timestamps.format(delivery.nextAttemptAt()));
        json.writeArrayPropertyStart("attempts");
        delivery.attempts().forEach(attempt -> write(json, attempt));
        json.writeEndArray();
    }

    private void write(JsonGenerator json, StoredDelivery.StoredAttempt attempt) {
        json.writeStartObject();
        json.writeStringProperty("at", timestamps.format(attempt.at()));
        json.writeStringProperty("outcome", attempt.outcome());
        if (attempt.statusCode() == null) {
            json.writeNullProperty("status_code");
        } else {
            json.writeNumberProperty("status_code", attempt.statusCode());
        }
        json.writeNumberProperty("duration_ms", attempt.duration().toMillis());
        json.writeEndObject();
    }
}
