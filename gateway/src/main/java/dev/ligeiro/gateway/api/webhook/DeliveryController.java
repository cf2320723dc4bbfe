package dev.ligeiro.gateway.api.webhook;

import static dev.ligeiro.gateway.api.webhook.EndpointRoutes.ALL;
import static dev.ligeiro.gateway.api.webhook.EndpointRoutes.ONE;

import dev.ligeiro.gateway.api.webhook.RegisteredEndpointStore.Health;
import dev.ligeiro.gateway.http.Request;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.Route.Body;
import dev.ligeiro.gateway.http.Routes;
import dev.ligeiro.gateway.http.limit.UnsentPages;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.gateway.http.request.QueryParameters;
import dev.ligeiro.gateway.http.response.JsonResponse;
import dev.ligeiro.store.LaneUpdates;
import dev.ligeiro.store.StoredDelivery;
import dev.ligeiro.support.problem.FieldError;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.transaction.UuidV7;
import dev.ligeiro.view.DeliveryView;
import dev.ligeiro.view.TestEvent;
import dev.ligeiro.view.TimeText;
import dev.ligeiro.view.Timestamps;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.Replay;
import dev.ligeiro.webhook.ReplayRequest;
import dev.ligeiro.webhook.StatusFilter;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/**
 * The routes of an endpoint's deliveries: lists them, schedules one again, replays those of a time, and sends a test event. The dispatcher
 * attempts what a person waits for before all others of the endpoint, with the same checks, headers and retries. If the gateway dies
 * between the two writes, the merchant repeats the request.
 */
@Component
@Order(4)
class DeliveryController implements Routes {

    /** Ten times the attempts of the schedule. It limits the size of the stored delivery. */
    static final int ATTEMPTS_MAX = 100;

    private final EndpointRoutes endpoints;
    private final DeliveryStore store;
    private final ReplayStore replays;
    private final RegisteredEndpointStore registered;
    private final Clock clock;
    private final UnsentPages pages;
    private final Timestamps timestamps;
    private final DeliveryView view;

    DeliveryController(
            EndpointRoutes endpoints,
            DeliveryStore store,
            ReplayStore replays,
            RegisteredEndpointStore registered,
            UnsentPages pages,
            Timestamps timestamps,
            Clock clock) {
        this.endpoints = endpoints;
        this.store = store;
        this.replays = replays;
        this.registered = registered;
        this.clock = clock;
        this.pages = pages;
        this.timestamps = timestamps;
        this.view = new DeliveryView(timestamps);
    }

    @Override
    public List<Route> routes() {
        return List.of(
                endpoints.page(ONE + "/deliveries", endpoints.found(this::list)),
                endpoints.change(
                        HttpMethod.POST,
                        ONE + "/deliveries/{delivery_id}/redeliver",
                        Body.EMPTY,
                        "redeliver",
                        endpoints.found(this::redeliver)),
                endpoints.change(HttpMethod.POST, ONE + "/test", Body.EMPTY, "test", endpoints.found(this::sendTest)),
                endpoints.change(
                        HttpMethod.POST, ONE + "/replay", Body.REQUIRED, "replay", endpoints.found(this::startReplay)),
                endpoints.get(ONE + "/replays/{replay_id}", endpoints.found(this::showReplay)));
    }

    private Mono<ServerResponse> list(Request<WebhookEndpoint> request) {
        WebhookEndpoint endpoint = request.caller();
        QueryParameters given = new QueryParameters(request.queryParams(), Set.of("status", "transaction_id", "after"));
        StatusFilter status = given.parsed("status", StatusFilter::parse);
        DeliveryId after = given.parsed("after", text -> DeliveryId.parse(text, endpoint.id()));
        TransactionId transaction = given.parsed("transaction_id", text -> new TransactionId(Fields.uuid(text)));
        given.orThrow();
        return Mono.zip(
                        store.page(endpoint.id(), status, transaction, after),
                        registered.health(List.of(endpoint.id())))
                .flatMap(read -> {
                    Health failing = read.getT2().get(endpoint.id());
                    Instant pausedUntil = failing == null ? null : failing.pausedUntil();
                    return pages.send(
                            endpoint.tenant(),
                            read.getT1()
                                    .json(
                                            "deliveries",
                                            (json, delivery) -> view.writeFields(
                                                    json, delivery, delivery.nextAttemptAt(endpoint, pausedUntil))));
                });
    }

    private Mono<ServerResponse> redeliver(Request<WebhookEndpoint> request) {
        WebhookEndpoint endpoint = request.caller();
        DeliveryId id = request.variable(
                "delivery_id", text -> DeliveryId.parse(text, endpoint.id()), DeliveryController::notFound);
        return again(endpoint, id)
                .switchIfEmpty(Mono.error(DeliveryController::notFound))
                .flatMap(this::accepted);
    }

    /**
     * The scheduled delivery, whatever its status was; empty if there is none with this id. Fails with a problem 409 if the endpoint is
     * disabled.
     */
    private Mono<StoredDelivery> again(WebhookEndpoint endpoint, DeliveryId id) {
        Instant now = Instant.ofEpochMilli(clock.millis());
        return store.find(id).doOnNext(delivery -> check(endpoint, delivery)).flatMap(delivery -> store.beforeAll(
                        endpoint.id(), now)
                .flatMap(at -> store.schedule(id, at, now, payload(delivery)))
                .then(registered.markLane(endpoint.id(), LaneUpdates.dueNow(endpoint.tenant(), now), true))
                .then(store.find(id)));
    }

    /** Answers with the scheduled delivery of a new test event. Fails with a problem 409 if the endpoint is disabled. */
    private Mono<ServerResponse> sendTest(Request<WebhookEndpoint> request) {
        WebhookEndpoint endpoint = request.caller();
        refuseDisabled(endpoint);
        Instant now = Instant.ofEpochMilli(clock.millis());
        return store.beforeAll(endpoint.id(), now)
                .map(at -> TestEvent.delivery(endpoint.id(), now, at))
                .flatMap(delivery -> store.insert(delivery)
                        .then(registered.markLane(endpoint.id(), LaneUpdates.dueNow(endpoint.tenant(), now), true))
                        .then(store.find(delivery.id())))
                .flatMap(this::accepted);
    }

    /**
     * Nothing is scheduled for a disabled endpoint: a dispatcher would cancel it.
     *
     * @throws Problem 409 if {@code endpoint} is disabled
     */
    static void refuseDisabled(WebhookEndpoint endpoint) {
        if (!endpoint.status().isEnabled()) {
            throw Problem.of(ProblemCode.ENDPOINT_DISABLED, "Enable the webhook endpoint first");
        }
    }

    private static void check(WebhookEndpoint endpoint, StoredDelivery delivery) {
        refuseDisabled(endpoint);
        if (delivery.attempts().size() >= ATTEMPTS_MAX) {
            throw Problem.of(ProblemCode.TOO_MANY_ATTEMPTS, "A delivery has at most " + ATTEMPTS_MAX + " attempts");
        }
    }

    /** Null for an event of a transaction. */
    private static byte @Nullable [] payload(StoredDelivery delivery) {
        return delivery.eventType().equals(TestEvent.TYPE)
                ? TestEvent.payload(delivery.id().endpointId(), delivery.eventAt())
                : null;
    }

    /** It has just been scheduled: that ends a pause. */
    private Mono<ServerResponse> accepted(StoredDelivery delivery) {
        return JsonResponse.of(
                HttpStatus.ACCEPTED,
                JsonResponse.object(json -> view.writeFields(json, delivery, delivery.nextAttemptAt())));
    }

    private static Problem notFound() {
        return Problem.notFound("This webhook endpoint has no delivery with this id");
    }

    /** Stores the replay, which a gateway then runs. 409 if the endpoint is disabled or has a running replay. */
    private Mono<ServerResponse> startReplay(Request<WebhookEndpoint> request) {
        WebhookEndpoint endpoint = request.caller();
        ReplayRequest parsed = replayRequest(request.fields());
        refuseDisabled(endpoint);
        Instant now = Instant.ofEpochMilli(clock.millis());
        Replay replay = Replay.begin(UuidV7.at(now.toEpochMilli()), endpoint.id(), endpoint.tenant(), parsed, now);
        return replays.insert(replay)
                .filter(Boolean::booleanValue)
                .switchIfEmpty(Mono.error(() ->
                        Problem.of(ProblemCode.REPLAY_RUNNING, "Wait until the endpoint's running replay has ended")))
                .flatMap(inserted -> JsonResponse.of(
                        ServerResponse.accepted()
                                .header(HttpHeaders.LOCATION, ALL + "/" + endpoint.id() + "/replays/" + replay.id()),
                        json(replay)));
    }

    /** {@code {from, to, status?}}; {@code undelivered} if the request names no status. */
    static ReplayRequest replayRequest(Fields fields) {
        Instant from = fields.requiredParsed("from", TimeText::parse);
        Instant to = fields.requiredParsed("to", TimeText::parse);
        StatusFilter status = fields.optionalParsed("status", DeliveryController::replayStatus);
        if (from != null && to != null && from.isAfter(to)) {
            fields.reject(FieldError.invalid("to", "expected a time that is not before from"));
        } else if (from != null && to != null && Duration.between(from, to).compareTo(ReplayRequest.SPAN_MAX) > 0) {
            fields.reject(FieldError.invalid(
                    "to", "expected at most " + ReplayRequest.SPAN_MAX.toDays() + " days after from"));
        }
        fields.orThrow();
        return new ReplayRequest(
                Objects.requireNonNull(from),
                Objects.requireNonNull(to),
                status == null ? StatusFilter.UNDELIVERED : status);
    }

    private static StatusFilter replayStatus(String code) {
        StatusFilter status = StatusFilter.parse(code);
        if (status == StatusFilter.SCHEDULED) {
            throw new IllegalArgumentException("expected another status: scheduled deliveries are sent anyway");
        }
        return status;
    }

    private Mono<ServerResponse> showReplay(Request<WebhookEndpoint> request) {
        WebhookEndpoint endpoint = request.caller();
        UUID id = request.variable("replay_id", Fields::uuid, DeliveryController::noReplay);
        return replays.find(endpoint.tenant(), endpoint.id(), id)
                .switchIfEmpty(Mono.error(DeliveryController::noReplay))
                .flatMap(replay -> JsonResponse.of(HttpStatus.OK, json(replay)));
    }

    private static Problem noReplay() {
        return Problem.notFound("This webhook endpoint has no replay with this id");
    }

    private byte[] json(Replay replay) {
        return JsonResponse.object(json -> {
            json.writeStringProperty("id", replay.id().toString());
            json.writeStringProperty("status", replay.state().code());
            json.writeStringProperty("from", replay.request().from().toString());
            json.writeStringProperty("to", replay.request().to().toString());
            json.writeStringProperty(
                    "delivery_status", replay.request().status().code());
            json.writeNumberProperty("looked_at", replay.looked());
            json.writeNumberProperty("scheduled", replay.scheduled());
            json.writeStringProperty("date_created", timestamps.format(replay.createdAt()));
        });
    }
}
