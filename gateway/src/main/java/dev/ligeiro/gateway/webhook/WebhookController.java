package dev.ligeiro.gateway.webhook;

import dev.ligeiro.gateway.GatewayProperties;
import dev.ligeiro.gateway.api.Access;
import dev.ligeiro.gateway.api.Route;
import dev.ligeiro.gateway.api.Routes;
import dev.ligeiro.gateway.http.Fields;
import dev.ligeiro.gateway.http.JsonResponse;
import dev.ligeiro.gateway.merchant.Caller;
import dev.ligeiro.gateway.merchant.Callers;
import dev.ligeiro.gateway.merchant.Scope;
import dev.ligeiro.gateway.problem.Problem;
import dev.ligeiro.gateway.problem.ProblemCode;
import dev.ligeiro.message.EventType;
import dev.ligeiro.view.Timestamps;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.net.URI;
import java.util.List;
import java.util.UUID;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.node.ObjectNode;

/** {@code /api/v1/webhooks}: registers, lists, shows and deletes the endpoints of a merchant. */
@Component
@Order(4)
class WebhookController implements Routes {

    private static final String ALL = "/api/v1/webhooks";
    private static final String ONE = ALL + "/{id}";

    private final Callers callers;
    private final RegisterEndpoint register;
    private final EndpointStore store;
    private final EndpointUrl urlRule;
    private final Timestamps timestamps;

    WebhookController(
            Callers callers,
            RegisterEndpoint register,
            EndpointStore store,
            EndpointUrl urlRule,
            GatewayProperties properties) {
        this.callers = callers;
        this.register = register;
        this.store = store;
        this.urlRule = urlRule;
        this.timestamps = new Timestamps(properties.timeZone());
    }

    @Override
    public List<Route> routes() {
        Access<Caller> manage = callers.with(Scope.WEBHOOKS_MANAGE);
        return List.of(
                Route.postJson(ALL, manage, (request, caller, body) -> create(caller, body)),
                Route.get(ALL, manage, (request, caller) -> list(caller)),
                Route.get(ONE, manage, this::show),
                Route.delete(ONE, manage, this::delete));
    }

    private Mono<ServerResponse> create(Caller caller, ObjectNode body) {
        return register.register(caller.tenant(), EndpointRequest.parse(body, urlRule))
                .flatMap(registered -> JsonResponse.of(
                        ServerResponse.created(
                                URI.create(ALL + "/" + registered.endpoint().id())),
                        JsonResponse.object(json -> {
                            write(json, registered.endpoint());
                            json.writeStringProperty(
                                    "secret", registered.secret().text());
                        })));
    }

    private Mono<ServerResponse> list(Caller caller) {
        return store.all(caller.tenant())
                .collectList()
                .flatMap(endpoints -> JsonResponse.of(HttpStatus.OK, json(endpoints)));
    }

    private Mono<ServerResponse> show(ServerRequest request, Caller caller) {
        return store.find(caller.tenant(), id(request))
                .switchIfEmpty(Mono.error(WebhookController::notFound))
                .flatMap(
                        endpoint -> JsonResponse.of(HttpStatus.OK, JsonResponse.object(json -> write(json, endpoint))));
    }

    private Mono<ServerResponse> delete(ServerRequest request, Caller caller) {
        return store.delete(caller.tenant(), id(request))
                .filter(Boolean::booleanValue)
                .switchIfEmpty(Mono.error(WebhookController::notFound))
                .flatMap(deleted -> ServerResponse.noContent().build());
    }

    private byte[] json(List<WebhookEndpoint> endpoints) {
        return JsonResponse.object(json -> {
            json.writeArrayPropertyStart("webhooks");
            for (WebhookEndpoint endpoint : endpoints) {
                json.writeStartObject();
                write(json, endpoint);
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeNullProperty("next_cursor");
        });
    }

    private void write(JsonGenerator json, WebhookEndpoint endpoint) {
        json.writeStringProperty("id", endpoint.id().toString());
        json.writeStringProperty("url", endpoint.url());
        json.writeArrayPropertyStart("events");
        endpoint.events().stream().map(EventType::code).sorted().forEach(json::writeString);
        json.writeEndArray();
        String description = endpoint.description();
        json.writeStringProperty("description", description == null ? "" : description);
        json.writeStringProperty("status", endpoint.status().isEnabled() ? "enabled" : "disabled");
        json.writeStringProperty("date_created", timestamps.format(endpoint.createdAt()));
    }

    private static UUID id(ServerRequest request) {
        try {
            return Fields.uuid(request.pathVariable("id"));
        } catch (IllegalArgumentException malformed) {
            throw notFound();
        }
    }

    private static Problem notFound() {
        return Problem.of(ProblemCode.NOT_FOUND, "You have no webhook endpoint with this id");
    }
}
