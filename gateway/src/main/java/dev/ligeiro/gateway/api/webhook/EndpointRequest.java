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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

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
    private static final int HEADERS_MAX = 10;
    private static final int HEADER_NAME_MAX = 64;
    private static final int HEADER_VALUE_MAX = 1_000;

    private static final String HEADERS = "headers";

    /** A token (RFC 9110 §5.6.2). */
    private static final Pattern HEADER_NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1," + HEADER_NAME_MAX + "}");

    /** Printable ASCII: no line break or other control character, and no character that receivers decode in different ways. */
    private static final Pattern HEADER_VALUE = Pattern.compile("[\\x20-\\x7E]{1," + HEADER_VALUE_MAX + "}");

    /** What the dispatcher or the network sets, in lower case. */
    private static final Pattern RESERVED_NAME = Pattern.compile("accept-encoding|connection|date|expect|forwarded|host"
            + "|http2-settings|keep-alive|metadata|metadata-flavor|te|trailer|transfer-encoding|upgrade|user-agent|via"
            + "|(content-|proxy-|webhook-|x-amzn?-|x-aws-|x-azure-|x-fd-|x-forwarded-|x-gfe|x-goog-|x-google).*");

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
        Map<String, Optional<String>> headers = fields.node(HEADERS) == null ? null : headers(fields);
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
     * The merchant's own headers, which are sent with each webhook. {@code authorization} is allowed, since receivers behind a proxy often
     * need it. Headers that belong to the connection, the body, the signature or a cloud's metadata service are not: they would change what
     * is sent or to whom. The given headers by their names in lower case; empty where the value is null. Invalid ones are added to the errors.
     */
    private static Map<String, Optional<String>> headers(Fields fields) {
        Map<String, Optional<String>> headers = new LinkedHashMap<>();
        JsonNode node = fields.node(HEADERS);
        if (node == null) {
            return headers;
        }
        if (!(node instanceof ObjectNode object)) {
            fields.reject(FieldError.wrongType(HEADERS, "an object of names and values"));
            return headers;
        }
        if (object.size() > 2 * HEADERS_MAX) {
            fields.reject(tooManyHeaders());
            return headers;
        }
        object.properties().forEach(header -> readHeader(fields, header.getKey(), header.getValue(), headers));
        if (object.valueStream().filter(value -> !value.isNull()).count() > HEADERS_MAX) {
            fields.reject(tooManyHeaders());
        }
        return headers;
    }

    private static FieldError tooManyHeaders() {
        return FieldError.invalid(HEADERS, "expected at most " + HEADERS_MAX + " headers");
    }

    private static void readHeader(Fields fields, String given, JsonNode value, Map<String, Optional<String>> headers) {
        String name = given.toLowerCase(Locale.ROOT);
        if (!HEADER_NAME.matcher(given).matches()) {
            fields.reject(FieldError.invalid(
                    HEADERS,
                    "expected names of 1 to " + HEADER_NAME_MAX
                            + " letters, digits, hyphens and other HTTP token characters"));
        } else if (isReserved(name)) {
            fields.reject(FieldError.invalid(HEADERS + "." + name, "expected another name: this one is reserved"));
        } else if (headers.containsKey(name)) {
            fields.reject(FieldError.invalid(HEADERS + "." + name, "expected at most once, in upper or lower case"));
        } else if (value.isNull()) {
            headers.put(name, Optional.empty());
        } else if (!value.isString()) {
            fields.reject(FieldError.wrongType(HEADERS + "." + name, "a string"));
        } else if (!HEADER_VALUE.matcher(value.stringValue()).matches() || !isTrimmed(value.stringValue())) {
            fields.reject(FieldError.invalid(
                    HEADERS + "." + name,
                    "expected 1 to " + HEADER_VALUE_MAX + " printable ASCII characters, without spaces at the ends"));
        } else {
            headers.put(name, Optional.of(value.stringValue()));
        }
    }

    private static boolean isReserved(String name) {
        return RESERVED_NAME.matcher(name).matches();
    }

    /** HTTP drops spaces at the ends of a value (RFC 9110 §5.5). */
    private static boolean isTrimmed(String value) {
        return value.strip().length() == value.length();
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
        if (merged.size() > HEADERS_MAX) {
            throw Problem.invalid(List.of(tooManyHeaders()));
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
