package dev.ligeiro.gateway.api.webhook;

import static dev.ligeiro.gateway.api.webhook.EndpointRoutes.ALL;
import static dev.ligeiro.gateway.api.webhook.EndpointRoutes.ONE;

import dev.ligeiro.gateway.http.Request;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.Route.Body;
import dev.ligeiro.gateway.http.Routes;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.gateway.http.response.JsonResponse;
import dev.ligeiro.support.problem.FieldError;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import dev.ligeiro.transaction.UuidV7;
import dev.ligeiro.view.TimeText;
import dev.ligeiro.view.Timestamps;
import dev.ligeiro.webhook.Replay;
import dev.ligeiro.webhook.ReplayRequest;
import dev.ligeiro.webhook.StatusFilter;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** {@code POST /api/v1/webhooks/{id}/replay} and {@code GET /api/v1/webhooks/{id}/replays/{replay_id}}. */
@Component
@Order(4)
class ReplayController implements Routes {

    private final EndpointRoutes endpoints;
    private final ReplayStore store;
    private final Clock clock;
    private final Timestamps timestamps;

    ReplayController(EndpointRoutes endpoints, ReplayStore store, Clock clock, Timestamps timestamps) {
        this.endpoints = endpoints;
        this.store = store;
        this.clock = clock;
        this.timestamps = timestamps;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                endpoints.change(
                        HttpMethod.POST, ONE + "/replay", Body.REQUIRED, "replay", endpoints.found(this::start)),
                endpoints.get(ONE + "/replays/{replay_id}", endpoints.found(this::show)));
    }

    /** Stores the replay, which a gateway then runs. 409 if the endpoint is disabled or has a running replay. */
    private Mono<ServerResponse> start(Request<WebhookEndpoint> request) {
        WebhookEndpoint endpoint = request.caller();
        ReplayRequest parsed = request(request.fields());
        DeliveryController.refuseDisabled(endpoint);
        Instant now = Instant.ofEpochMilli(clock.millis());
        Replay replay = Replay.begin(UuidV7.at(now.toEpochMilli()), endpoint.id(), endpoint.tenant(), parsed, now);
        return store.insert(replay)
                .filter(Boolean::booleanValue)
                .switchIfEmpty(Mono.error(() ->
                        Problem.of(ProblemCode.REPLAY_RUNNING, "Wait until the endpoint's running replay has ended")))
                .flatMap(inserted -> JsonResponse.of(
                        ServerResponse.accepted()
                                .header(HttpHeaders.LOCATION, ALL + "/" + endpoint.id() + "/replays/" + replay.id()),
                        json(replay)));
    }

    /** {@code {from, to, status?}}; {@code undelivered} if the request names no status. */
    static ReplayRequest request(Fields fields) {
        Instant from = fields.requiredParsed("from", TimeText::parse);
        Instant to = fields.requiredParsed("to", TimeText::parse);
        StatusFilter status = fields.optionalParsed("status", ReplayController::status);
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

    private static StatusFilter status(String code) {
        StatusFilter status = StatusFilter.parse(code);
        if (status == StatusFilter.SCHEDULED) {
            throw new IllegalArgumentException("expected another status: scheduled deliveries are sent anyway");
        }
        return status;
    }

    /** The replay that the variable {@code replay_id} of the path names. */
    private Mono<ServerResponse> show(Request<WebhookEndpoint> request) {
        WebhookEndpoint endpoint = request.caller();
        UUID id = request.variable("replay_id", Fields::uuid, ReplayController::notFound);
        return store.find(endpoint.tenant(), endpoint.id(), id)
                .switchIfEmpty(Mono.error(ReplayController::notFound))
                .flatMap(replay -> JsonResponse.of(HttpStatus.OK, json(replay)));
    }

    private static Problem notFound() {
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
