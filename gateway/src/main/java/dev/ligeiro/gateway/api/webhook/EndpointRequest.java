package dev.ligeiro.gateway.api.webhook;

import dev.ligeiro.gateway.http.problem.FieldError;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.message.EventType;
import dev.ligeiro.webhook.SigningSecret;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A valid request to register a webhook endpoint: {@code {url, events?, description?, headers?, secret?}}.
 *
 * @param events all status changes if the request names none
 * @param headers by their names in lower case; empty where the value is null
 * @param secret the merchant's own signing secret; null if a random one is wanted
 */
record EndpointRequest(
        String url,
        Set<EventType> events,
        @Nullable String description,
        Map<String, Optional<String>> headers,
        @Nullable SigningSecret secret) {

    static final int DESCRIPTION_MAX = 255;

    static EndpointRequest parse(ObjectNode body, EndpointUrl urlRule) {
        Fields fields = new Fields(body);
        String url = fields.requiredParsed("url", urlRule::check);
        Set<EventType> events = events(fields);
        String description = fields.optionalText("description", DESCRIPTION_MAX);
        Map<String, Optional<String>> headers = HeaderFields.read(fields);
        SigningSecret secret = fields.optionalParsed("secret", SigningSecret::new);
        if (headers.size() > HeaderFields.HEADERS_MAX) {
            fields.reject(HeaderFields.tooMany());
        }
        fields.orThrow();
        if (url == null) {
            throw new IllegalStateException("url is missing without an error");
        }
        return new EndpointRequest(url, events, description, headers, secret);
    }

    /** All status changes if the field is absent, null or empty. */
    static Set<EventType> events(Fields fields) {
        List<String> codes = fields.optionalStrings("events");
        if (codes == null || codes.isEmpty()) {
            return EventType.STATUS_CHANGES;
        }
        Set<EventType> events = EnumSet.noneOf(EventType.class);
        for (String code : codes) {
            Optional<EventType> type = EventType.findByCode(code);
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
}
