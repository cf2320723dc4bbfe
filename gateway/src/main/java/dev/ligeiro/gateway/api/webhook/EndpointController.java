package dev.ligeiro.gateway.api.webhook;

import static dev.ligeiro.gateway.api.webhook.EndpointRoutes.ALL;
import static dev.ligeiro.gateway.api.webhook.EndpointRoutes.ONE;

import dev.ligeiro.gateway.api.webhook.RegisteredEndpointStore.Health;
import dev.ligeiro.gateway.http.Request;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.Route.Body;
import dev.ligeiro.gateway.http.Routes;
import dev.ligeiro.gateway.http.auth.Caller;
import dev.ligeiro.gateway.http.response.JsonResponse;
import dev.ligeiro.gateway.http.response.Page;
import dev.ligeiro.message.EventType;
import dev.ligeiro.view.Timestamps;
import dev.ligeiro.webhook.EndpointStatus;
import dev.ligeiro.webhook.SigningSecret;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.core.JsonGenerator;

/**
 * {@code /api/v1/webhooks}: registers, lists, shows, changes and deletes the endpoints of a merchant, and rotates their secrets. Only the
 * responses to a registration and a rotation have a secret, and none has the value of a header.
 */
@Component
@Order(4)
class EndpointController implements Routes {

    private final EndpointRoutes endpoints;
    private final ChangeEndpoint change;
    private final RegisteredEndpointStore store;
    private final Timestamps timestamps;

    EndpointController(
            EndpointRoutes endpoints, ChangeEndpoint change, RegisteredEndpointStore store, Timestamps timestamps) {
        this.endpoints = endpoints;
        this.change = change;
        this.store = store;
        this.timestamps = timestamps;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                endpoints.change(HttpMethod.POST, ALL, Body.REQUIRED, "register", this::register),
                endpoints.get(ALL, this::list),
                endpoints.get(ONE, endpoints.found(request -> show(request.caller()))),
                endpoints.change(HttpMethod.PATCH, ONE, Body.REQUIRED, "patch", this::patch),
                endpoints.change(HttpMethod.POST, ONE + "/rotate-secret", Body.EMPTY, "rotate_secret", this::rotate),
                endpoints.delete(ONE, this::delete));
    }

    private Mono<ServerResponse> register(Request<Caller> request) {
        return change.register(request.caller().tenant(), request.fields()).flatMap(registered -> {
            WebhookEndpoint endpoint = registered.endpoint();
            return JsonResponse.of(
                    ServerResponse.created(URI.create(ALL + "/" + endpoint.id())),
                    JsonResponse.object(json -> write(json, endpoint, Map.of(), registered.secret())));
        });
    }

    private Mono<ServerResponse> list(Request<Caller> request) {
        return store.all(request.caller().tenant()).collectList().flatMap(all -> store.health(
                        all.stream().map(WebhookEndpoint::id).toList())
                .flatMap(health -> JsonResponse.of(
                        HttpStatus.OK,
                        Page.all(all).json("webhooks", (json, endpoint) -> write(json, endpoint, health, null)))));
    }

    private Mono<ServerResponse> show(WebhookEndpoint endpoint) {
        return store.health(List.of(endpoint.id()))
                .flatMap(health -> JsonResponse.of(
                        HttpStatus.OK, JsonResponse.object(json -> write(json, endpoint, health, null))));
    }

    private Mono<ServerResponse> patch(Request<Caller> request) {
        return change.patch(request.caller().tenant(), EndpointRoutes.id(request), request.fields())
                .switchIfEmpty(Mono.error(EndpointRoutes::notFound))
                .flatMap(this::show);
    }

    private Mono<ServerResponse> rotate(Request<Caller> request) {
        return change.rotate(request.caller().tenant(), EndpointRoutes.id(request))
                .switchIfEmpty(Mono.error(EndpointRoutes::notFound))
                .flatMap(rotated -> store.health(List.of(rotated.endpoint().id()))
                        .flatMap(health -> JsonResponse.of(HttpStatus.OK, JsonResponse.object(json -> {
                            write(json, rotated.endpoint(), health, rotated.secret());
                            json.writeStringProperty(
                                    "previous_secret_valid_until",
                                    timestamps.orEmpty(previousUntil(rotated.endpoint())));
                        }))));
    }

    /** Null if the operator has lost the key that decrypts the previous secret. */
    private static @Nullable Instant previousUntil(WebhookEndpoint rotated) {
        return rotated.secrets().size() > 1 ? rotated.secrets().get(1).validUntil() : null;
    }

    private Mono<ServerResponse> delete(Request<Caller> request) {
        return change.delete(request.caller().tenant(), EndpointRoutes.id(request))
                .filter(Boolean::booleanValue)
                .switchIfEmpty(Mono.error(EndpointRoutes::notFound))
                .flatMap(deleted -> ServerResponse.noContent().build());
    }

    private void write(
            JsonGenerator json, WebhookEndpoint endpoint, Map<UUID, Health> health, @Nullable SigningSecret secret) {
        EndpointStatus status = endpoint.status();
        Health failing = health.get(endpoint.id());
        json.writeStringProperty("id", endpoint.id().toString());
        json.writeStringProperty("url", endpoint.url());
        JsonResponse.strings(
                json,
                "events",
                endpoint.events().keySet().stream()
                        .map(EventType::code)
                        .sorted()
                        .toList());
        if (secret != null) {
            json.writeStringProperty("secret", secret.text());
        }
        json.writeStringProperty("description", endpoint.description() == null ? "" : endpoint.description());
        JsonResponse.strings(
                json,
                "header_names",
                endpoint.headers().keySet().stream().sorted().toList());
        json.writeStringProperty("status", status.isEnabled() ? "enabled" : "disabled");
        json.writeStringProperty(
                "disabled_reason",
                status.reason() == null ? "" : status.reason().code());
        json.writeStringProperty("disabled_since", status.isEnabled() ? "" : timestamps.format(status.since()));
        json.writeStringProperty("failing_since", timestamps.orEmpty(failing == null ? null : failing.failingSince()));
        json.writeStringProperty("paused_until", timestamps.orEmpty(failing == null ? null : failing.pausedUntil()));
        json.writeStringProperty("date_created", timestamps.format(endpoint.createdAt()));
    }
}
