package dev.ligeiro.gateway.webhook;

import dev.ligeiro.gateway.http.Fields;
import dev.ligeiro.gateway.problem.FieldError;
import dev.ligeiro.message.EventType;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A valid request to register a webhook endpoint: {@code {url, events?, description?}}.
 *
 * @param events all status changes if the request names none
 */
record EndpointRequest(String url, Set<EventType> events, @Nullable String description) {

    private static final int DESCRIPTION_MAX = 255;

    static EndpointRequest parse(ObjectNode body, EndpointUrl urlRule) {
        Fields fields = new Fields(body);
        String url = fields.requiredParsed("url", urlRule::check);
        Set<EventType> events = events(fields);
        String description = fields.optionalText("description", DESCRIPTION_MAX);
        fields.orThrow();
        if (url == null) {
            throw new IllegalStateException("url is missing without an error");
        }
        return new EndpointRequest(url, events, description);
    }

    private static Set<EventType> events(Fields fields) {
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
