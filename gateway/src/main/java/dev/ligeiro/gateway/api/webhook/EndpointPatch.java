package dev.ligeiro.gateway.api.webhook;

import dev.ligeiro.gateway.http.problem.FieldError;
import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.message.EventType;
import dev.ligeiro.webhook.DisabledReason;
import dev.ligeiro.webhook.EncryptedText;
import dev.ligeiro.webhook.EndpointStatus;
import dev.ligeiro.webhook.SecretKeys;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A valid request to change a webhook endpoint: {@code {url?, events?, description?, headers?, enabled?}}, a JSON merge patch
 * (RFC 7396). Absent fields stay; null resets {@code events}, {@code description} and {@code headers}; a header with the value null is
 * removed, others stay.
 *
 * @param given the names of the fields in the request
 * @param headers by their names in lower case, empty where the value is null; null to remove all
 */
record EndpointPatch(
        Set<String> given,
        @Nullable String url,
        Set<EventType> events,
        @Nullable String description,
        @Nullable Map<String, Optional<String>> headers,
        @Nullable Boolean enabled) {

    static EndpointPatch parse(ObjectNode body, EndpointUrl urlRule) {
        Fields fields = new Fields(body);
        Set<String> given = Set.copyOf(body.propertyNames());
        String url = given.contains("url") ? fields.requiredParsed("url", urlRule::check) : null;
        Set<EventType> events = EndpointRequest.events(fields);
        String description = fields.optionalText("description", EndpointRequest.DESCRIPTION_MAX);
        Map<String, Optional<String>> headers = fields.node("headers") == null ? null : HeaderFields.read(fields);
        Boolean enabled = given.contains("enabled") ? fields.optionalBoolean("enabled", true) : null;
        if (enabled != null && fields.node("enabled") == null) {
            fields.reject(FieldError.required("enabled"));
        }
        fields.orThrow();
        return new EndpointPatch(given, url, events, description, headers, enabled);
    }

    /**
     * The changed endpoint.
     *
     * @throws Problem 422 if it would have too many headers
     */
    WebhookEndpoint applyTo(WebhookEndpoint endpoint, SecretKeys keys, Instant now) {
        return new WebhookEndpoint(
                endpoint.id(),
                endpoint.tenant(),
                endpoint.kind(),
                url == null ? endpoint.url() : url,
                given.contains("events") ? events : endpoint.events(),
                endpoint.secrets(),
                given.contains("headers") ? merged(endpoint, keys) : endpoint.headers(),
                given.contains("description") ? description : endpoint.description(),
                status(endpoint.status(), now),
                endpoint.createdAt(),
                endpoint.version());
    }

    /** Whether the request names something that decides where and whether deliveries are sent. */
    boolean concernsDeliveries() {
        return url != null || enabled != null;
    }

    private Map<String, EncryptedText> merged(WebhookEndpoint endpoint, SecretKeys keys) {
        if (headers == null) {
            return Map.of();
        }
        Map<String, EncryptedText> merged = new HashMap<>(endpoint.headers());
        headers.forEach((name, value) -> {
            if (value.isPresent()) {
                merged.put(name, keys.encryptHeader(endpoint.id(), name, value.get()));
            } else {
                merged.remove(name);
            }
        });
        if (merged.size() > HeaderFields.HEADERS_MAX) {
            throw Problem.invalid(List.of(HeaderFields.tooMany()));
        }
        return merged;
    }

    /** Disabling a disabled endpoint keeps its reason. */
    private EndpointStatus status(EndpointStatus before, Instant now) {
        if (enabled == null || enabled == before.isEnabled()) {
            return before;
        }
        return enabled ? EndpointStatus.enabled(now) : EndpointStatus.disabled(DisabledReason.MERCHANT, now);
    }
}
