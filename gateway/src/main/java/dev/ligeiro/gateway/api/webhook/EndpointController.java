package dev.ligeiro.gateway.api.webhook;

import static dev.ligeiro.gateway.api.webhook.EndpointRoutes.ALL;
import static dev.ligeiro.gateway.api.webhook.EndpointRoutes.ONE;

import dev.ligeiro.gateway.api.webhook.RegisteredEndpointStore.Health;
import dev.ligeiro.gateway.http.Access;
import dev.ligeiro.gateway.http.GatewayProperties;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.Routes;
import dev.ligeiro.gateway.http.auth.Caller;
import dev.ligeiro.gateway.http.response.JsonResponse;
import dev.ligeiro.message.EventType;
import dev.ligeiro.transaction.Coded;
import dev.ligeiro.view.Timestamps;
import dev.ligeiro.webhook.EndpointStatus;
import dev.ligeiro.webhook.SigningSecret;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    private final EndpointSecrets secrets;
    private final RegisteredEndpointStore store;
    private final EndpointChangeStore changes;
    private final Timestamps timestamps;

    EndpointController(
            EndpointRoutes endpoints,
            ChangeEndpoint change,
            EndpointSecrets secrets,
            RegisteredEndpointStore store,
            EndpointChangeStore changes,
            GatewayProperties properties) {
        this.endpoints = endpoints;
        this.change = change;
        this.secrets = secrets;
        this.store = store;
        this.changes = changes;
        this.timestamps = new Timestamps(properties.timeZone());
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
        return store.all(caller.tenant()).collectList().flatMap(endpoints -> store.health(
                        endpoints.stream().map(WebhookEndpoint::id).toList())
                .flatMap(health -> JsonResponse.of(HttpStatus.OK, json(endpoints, health))));
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
        return secrets.rotate(caller.tenant(), EndpointRoutes.id(request))
                .switchIfEmpty(Mono.error(EndpointRoutes::notFound))
                .flatMap(rotated -> store.health(List.of(rotated.endpoint().id()))
                        .flatMap(health -> JsonResponse.of(HttpStatus.OK, JsonResponse.object(json -> {
                            write(json, rotated.endpoint(), health, rotated.secret());
                            json.writeStringProperty(
                                    "previous_secret_valid_until", format(rotated.previousValidUntil()));
                        }))));
    }

    private Mono<ServerResponse> delete(ServerRequest request, Caller caller) {
        return change.delete(caller.tenant(), EndpointRoutes.id(request))
                .filter(Boolean::booleanValue)
                .switchIfEmpty(Mono.error(EndpointRoutes::notFound))
                .flatMap(deleted -> ServerResponse.noContent().build());
    }

    private byte[] json(List<WebhookEndpoint> all, Map<UUID, Health> health) {
        return JsonResponse.object(json -> {
            json.writeArrayPropertyStart("webhooks");
            for (WebhookEndpoint endpoint : all) {
                json.writeStartObject();
                write(json, endpoint, health, null);
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeNullProperty("next_cursor");
        });
    }

    private void write(
            JsonGenerator json, WebhookEndpoint endpoint, Map<UUID, Health> health, @Nullable SigningSecret secret) {
        EndpointStatus status = endpoint.status();
        String description = endpoint.description();
        json.writeStringProperty("id", endpoint.id().toString());
        json.writeStringProperty("url", endpoint.url());
        writeSorted(
                json,
                "events",
                endpoint.events().keySet().stream().map(EventType::code).toList());
        if (secret != null) {
            json.writeStringProperty("secret", secret.text());
        }
        json.writeStringProperty("description", description == null ? "" : description);
        writeSorted(json, "header_names", List.copyOf(endpoint.headers().keySet()));
        json.writeStringProperty("status", status.isEnabled() ? "enabled" : "disabled");
        json.writeStringProperty(
                "disabled_reason",
                Optional.ofNullable(status.reason()).map(Coded::code).orElse(""));
        json.writeStringProperty("disabled_since", format(status.isEnabled() ? null : status.since()));
        Health failing = health.get(endpoint.id());
        json.writeStringProperty(
                "failing_since",
                failing == null ? "" : format(failing.failingSince().toInstant()));
        json.writeStringProperty(
                "paused_until",
                failing == null || failing.pausedUntil() == null
                        ? ""
                        : format(failing.pausedUntil().toInstant()));
        json.writeStringProperty("date_created", timestamps.format(endpoint.createdAt()));
    }

    private String format(@Nullable Instant time) {
        return time == null ? "" : timestamps.format(time);
    }

    private static void writeSorted(JsonGenerator json, String name, List<String> values) {
        json.writeArrayPropertyStart(name);
        values.stream().sorted().forEach(json::writeString);
        json.writeEndArray();
    }
}
