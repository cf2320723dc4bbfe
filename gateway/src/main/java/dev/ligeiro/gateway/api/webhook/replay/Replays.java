package dev.ligeiro.gateway.api.webhook.replay;

import dev.ligeiro.gateway.api.webhook.delivery.ScheduleDelivery;
import dev.ligeiro.gateway.http.GatewayProperties;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.problem.FieldError;
import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.gateway.http.response.JsonResponse;
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
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ObjectNode;

/** Starts replays and shows how far they are, for merchants and operators. */
@Component
public class Replays {

    private final ReplayStore store;
    private final Clock clock;
    private final Timestamps timestamps;

    Replays(ReplayStore store, Clock clock, GatewayProperties properties) {
        this.store = store;
        this.clock = clock;
        this.timestamps = new Timestamps(properties.timeZone());
    }

    /**
     * Stores the replay, which a gateway then runs. 409 if the endpoint is disabled or has a running replay.
     *
     * @param path of the endpoint; that of the replay begins with it
     */
    public Mono<ServerResponse> start(String path, WebhookEndpoint endpoint, ObjectNode body) {
        ReplayRequest parsed = request(body);
        ScheduleDelivery.refuseDisabled(endpoint);
        Instant now = Instant.ofEpochMilli(clock.millis());
        Replay replay = Replay.begin(UuidV7.at(now.toEpochMilli()), endpoint.id(), endpoint.tenant(), parsed, now);
        return store.insert(replay)
                .filter(Boolean::booleanValue)
                .switchIfEmpty(Mono.error(() ->
                        Problem.of(ProblemCode.REPLAY_RUNNING, "Wait until the endpoint's running replay has ended")))
                .flatMap(inserted -> JsonResponse.of(
                        ServerResponse.accepted().header(HttpHeaders.LOCATION, path + "/replays/" + replay.id()),
                        json(replay)));
    }

    /** {@code {from, to, status?}}; {@code undelivered} if the request names no status. */
    static ReplayRequest request(ObjectNode body) {
        Fields fields = new Fields(body);
        Instant from = fields.requiredParsed("from", TimeText::parse);
        Instant to = fields.requiredParsed("to", TimeText::parse);
        StatusFilter status = fields.optionalParsed("status", Replays::status);
        checkRange(fields, from, to);
        fields.orThrow();
        if (from == null || to == null) {
            throw new IllegalStateException("from or to is missing without an error");
        }
        return new ReplayRequest(from, to, status == null ? StatusFilter.UNDELIVERED : status);
    }

    private static void checkRange(Fields fields, @Nullable Instant from, @Nullable Instant to) {
        if (from == null || to == null) {
            return;
        }
        if (from.isAfter(to)) {
            fields.reject(FieldError.invalid("to", "expected a time that is not before from"));
        } else if (Duration.between(from, to).compareTo(ReplayRequest.SPAN_MAX) > 0) {
            fields.reject(FieldError.invalid(
                    "to", "expected at most " + ReplayRequest.SPAN_MAX.toDays() + " days after from"));
        }
    }

    private static StatusFilter status(String code) {
        StatusFilter status = StatusFilter.parse(code);
        if (status == StatusFilter.SCHEDULED) {
            throw new IllegalArgumentException("expected another status: scheduled deliveries are sent anyway");
        }
        return status;
    }

    /** The replay that the variable {@code replay_id} of the path names. */
    public Mono<ServerResponse> show(ServerRequest request, WebhookEndpoint endpoint) {
        UUID id = Route.variable(request, "replay_id", Fields::uuid, Replays::notFound);
        return store.find(endpoint.tenant(), endpoint.id(), id)
                .switchIfEmpty(Mono.error(Replays::notFound))
                .flatMap(replay -> JsonResponse.of(HttpStatus.OK, json(replay)));
    }

    private static Problem notFound() {
        return Problem.of(ProblemCode.NOT_FOUND, "This webhook endpoint has no replay with this id");
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
