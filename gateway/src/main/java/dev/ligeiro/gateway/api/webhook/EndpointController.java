package dev.ligeiro.gateway.api.webhook;

import static dev.ligeiro.gateway.api.webhook.EndpointRoutes.ALL;
import static dev.ligeiro.gateway.api.webhook.EndpointRoutes.ONE;

import dev.ligeiro.gateway.api.webhook.RegisteredEndpointStore.Health;
import dev.ligeiro.gateway.http.Access;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.Routes;
import dev.ligeiro.gateway.http.auth.Caller;
import dev.ligeiro.gateway.http.response.JsonResponse;
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
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.node.ObjectNode;

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
    private final EndpointChangeStore changes;
    private final Timestamps timestamps;

    EndpointController(
            EndpointRoutes endpoints,
            ChangeEndpoint change,
            RegisteredEndpointStore store,
            EndpointChangeStore changes,
            Timestamps timestamps) {
        this.endpoints = endpoints;
        this.change = change;
        this.store = store;
        this.changes = changes;
        this.timestamps = timestamps;
    }

    @Override
    public List<Route> routes() {
        Access<Caller> access = endpoints.requests();
        return List.of(
                Route.postJson(
                        ALL, access, changes.storing("register", (request, caller, body) -> register(caller, body))),
                Route.get(ALL, access, (request, caller) -> list(caller)),
                Route.get(ONE, access, endpoints.found(this::show)),
                Route.patchJson(ONE, access, changes.storing("patch", this::patch)),
                Route.post(ONE + "/rotate-secret", access, changes.storing("rotate_secret", this::rotate)),
                Route.delete(ONE, access, changes.storing("delete", this::delete)));
    }

    private Mono<ServerResponse> register(Caller caller, ObjectNode body) {
        return change.register(caller.tenant(), body).flatMap(registered -> {
            WebhookEndpoint endpoint = registered.endpoint();
            return JsonResponse.of(
                    ServerResponse.created(URI.create(ALL + "/" + endpoint.id())),
                    JsonResponse.object(json -> write(json, endpoint, Map.of(), registered.secret())));
        });
    }

    private Mono<ServerResponse> list(Caller caller) {
        return store.all(caller.tenant()).collectList().flatMap(all -> store.health(
                        all.stream().map(WebhookEndpoint::id).toList())
                .flatMap(health -> JsonResponse.of(
                        HttpStatus.OK,
                        JsonResponse.page(
                                "webhooks", all, null, (json, endpoint) -> write(json, endpoint, health, null)))));
    }

    private Mono<ServerResponse> show(ServerRequest request, WebhookEndpoint endpoint) {
        return store.health(List.of(endpoint.id()))
                .flatMap(health -> JsonResponse.of(
                        HttpStatus.OK, JsonResponse.object(json -> write(json, endpoint, health, null))));
    }

    private Mono<ServerResponse> patch(ServerRequest request, Caller caller, ObjectNode body) {
        return change.patch(caller.tenant(), EndpointRoutes.id(request), body)
                .switchIfEmpty(Mono.error(EndpointRoutes::notFound))
                .flatMap(changed -> show(request, changed));
    }

    private Mono<ServerResponse> rotate(ServerRequest request, Caller caller) {
        return change.rotate(caller.tenant(), EndpointRoutes.id(request))
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

    private Mono<ServerResponse> delete(ServerRequest request, Caller caller) {
        return change.delete(caller.tenant(), EndpointRoutes.id(request))
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
