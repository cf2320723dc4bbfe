package dev.ligeiro.gateway.api.webhook;

import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.message.EventType;
import dev.ligeiro.support.problem.FieldError;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.transaction.Codes;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.DisabledReason;
import dev.ligeiro.webhook.EncryptedText;
import dev.ligeiro.webhook.EndpointSecret;
import dev.ligeiro.webhook.EndpointStatus;
import dev.ligeiro.webhook.SecretKeys;
import dev.ligeiro.webhook.SigningSecret;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A valid request to register a webhook endpoint, {@code {url, events?, description?, headers?, secret?}}, or to change one, {@code {url?,
 * events?, description?, headers?, enabled?}}: a JSON merge patch (RFC 7396). Absent fields stay; null resets {@code events}, {@code
 * description} and {@code headers}; a header with the value null is removed, others stay unless the URL moves to another server.
 *
 * @param given the names of the fields in the request
 * @param events all status changes if the request names none
 * @param headers by their names in lower case, empty where the value is null; null to remove all
 * @param secret the merchant's own signing secret; null if a random one is wanted
 */
record EndpointRequest(
        Set<String> given,
        @Nullable String url,
        Set<EventType> events,
        @Nullable String description,
        @Nullable Map<String, Optional<String>> headers,
        @Nullable Boolean enabled,
        @Nullable SigningSecret secret) {

    private static final int DESCRIPTION_MAX = 255;

    static EndpointRequest registration(Fields fields, EndpointUrl urlRule) {
        String url = fields.requiredParsed("url", urlRule::check);
        SigningSecret secret = fields.optionalParsed("secret", SigningSecret::new);
        return parse(fields, url, null, secret);
    }

    static EndpointRequest change(Fields fields, EndpointUrl urlRule) {
        String url = fields.has("url") ? fields.requiredParsed("url", urlRule::check) : null;
        Boolean enabled = fields.has("enabled") ? fields.optionalBoolean("enabled", true) : null;
        if (enabled != null && fields.node("enabled") == null) {
            fields.reject(FieldError.required("enabled"));
        }
        return parse(fields, url, enabled, null);
    }

    private static EndpointRequest parse(
            Fields fields, @Nullable String url, @Nullable Boolean enabled, @Nullable SigningSecret secret) {
        Set<EventType> events = events(fields);
        String description = fields.optionalText("description", DESCRIPTION_MAX);
        Map<String, Optional<String>> headers = fields.node("headers") == null ? null : HeaderFields.read(fields);
        fields.orThrow();
        return new EndpointRequest(fields.names(), url, events, description, headers, enabled, secret);
    }

    /** All status changes if the field is absent or null. */
    private static Set<EventType> events(Fields fields) {
        List<String> codes = fields.optionalStrings("events");
        if (codes == null) {
            return EventType.STATUS_CHANGES;
        }
        Set<EventType> events = EnumSet.noneOf(EventType.class);
        for (String code : codes) {
            Optional<EventType> type = Codes.find(EventType.class, code);
            if (type.isEmpty()) {
                fields.reject(FieldError.invalid(
                        "events",
                        "expected only "
                                + Arrays.stream(EventType.values())
                                        .map(EventType::code)
                                        .toList()));
                return EventType.STATUS_CHANGES;
            }
            events.add(type.get());
        }
        return events;
    }

    /**
     * The registered endpoint.
     *
     * @throws Problem 422 if it would have too many headers
     */
    WebhookEndpoint registered(UUID id, Tenant tenant, SigningSecret signing, SecretKeys keys, Instant now) {
        List<EndpointSecret> secrets = List.of(new EndpointSecret(keys.encrypt(id, signing), null));
        WebhookEndpoint bare = new WebhookEndpoint(
                id,
                tenant,
                Objects.requireNonNull(url),
                WebhookEndpoint.subscribed(events, now),
                secrets,
                Map.of(),
                null,
                EndpointStatus.enabled(now),
                now,
                1);
        return applyTo(bare, keys, now);
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
                url == null ? endpoint.url() : url,
                given.contains("events") ? subscribed(endpoint, now) : endpoint.events(),
                endpoint.secrets(),
                merged(endpoint, keys),
                given.contains("description") ? description : endpoint.description(),
                status(endpoint.status(), now),
                endpoint.createdAt(),
                endpoint.version());
    }

    /** Whether the request names something that decides where and whether deliveries are sent. */
    boolean concernsDeliveries() {
        return url != null || enabled != null;
    }

    /** A type that the endpoint has stays as long as it is. */
    private Map<EventType, Instant> subscribed(WebhookEndpoint endpoint, Instant now) {
        return events.stream().collect(Collectors.toMap(type -> type, type -> endpoint.events()
                .getOrDefault(type, now)));
    }

    /** The headers may be credentials, so they do not follow the endpoint to another server. */
    private Map<String, EncryptedText> merged(WebhookEndpoint endpoint, SecretKeys keys) {
        boolean moves = url != null && !EndpointUrl.haveSameOrigin(url, endpoint.url());
        Map<String, EncryptedText> kept = moves ? Map.of() : endpoint.headers();
        if (headers == null) {
            return given.contains("headers") ? Map.of() : kept;
        }
        Map<String, EncryptedText> merged = new HashMap<>(kept);
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
