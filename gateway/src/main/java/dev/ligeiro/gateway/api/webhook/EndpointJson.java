package dev.ligeiro.gateway.api.webhook;

import dev.ligeiro.gateway.api.webhook.RegisterEndpoint.Registered;
import dev.ligeiro.gateway.api.webhook.RotateSecret.Rotated;
import dev.ligeiro.gateway.http.GatewayProperties;
import dev.ligeiro.gateway.http.response.JsonResponse;
import dev.ligeiro.message.EventType;
import dev.ligeiro.transaction.Coded;
import dev.ligeiro.view.Timestamps;
import dev.ligeiro.webhook.EndpointStatus;
import dev.ligeiro.webhook.SigningSecret;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.core.JsonGenerator;

/** The response bodies. Only those to a registration and a rotation contain a secret, and none contains the value of a header. */
@Component
class EndpointJson {

    private final Timestamps timestamps;

    EndpointJson(GatewayProperties properties) {
        this.timestamps = new Timestamps(properties.timeZone());
    }

    byte[] one(WebhookEndpoint endpoint) {
        return JsonResponse.object(json -> write(json, endpoint, null));
    }

    byte[] all(List<WebhookEndpoint> endpoints) {
        return JsonResponse.object(json -> {
            json.writeArrayPropertyStart("webhooks");
            for (WebhookEndpoint endpoint : endpoints) {
                json.writeStartObject();
                write(json, endpoint, null);
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeNullProperty("next_cursor");
        });
    }

    byte[] registered(Registered registered) {
        return JsonResponse.object(json -> write(json, registered.endpoint(), registered.secret()));
    }

    byte[] rotated(Rotated rotated) {
        return JsonResponse.object(json -> {
            write(json, rotated.endpoint(), rotated.secret());
            json.writeStringProperty("previous_secret_valid_until", format(rotated.previousValidUntil()));
        });
    }

    private void write(JsonGenerator json, WebhookEndpoint endpoint, @Nullable SigningSecret secret) {
        EndpointStatus status = endpoint.status();
        String description = endpoint.description();
        json.writeStringProperty("id", endpoint.id().toString());
        json.writeStringProperty("url", endpoint.url());
        writeSorted(
                json, "events", endpoint.events().stream().map(EventType::code).toList());
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
