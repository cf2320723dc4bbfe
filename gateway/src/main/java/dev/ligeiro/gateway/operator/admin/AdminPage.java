package dev.ligeiro.gateway.operator.admin;

import dev.ligeiro.gateway.http.response.JsonResponse;
import java.util.List;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * A part of a list.
 *
 * @param next the {@code after} of the next page; null on the last page
 */
record AdminPage<T>(List<T> items, @Nullable UUID next) {

    static final int ITEMS_MAX = 100;

    /** @param found up to one more item than a page has */
    static <T> AdminPage<T> of(List<T> found, Function<T, UUID> id) {
        return found.size() <= ITEMS_MAX
                ? new AdminPage<>(found, null)
                : new AdminPage<>(found.subList(0, ITEMS_MAX), id.apply(found.get(ITEMS_MAX - 1)));
    }

    /** The body of the response; {@code item} writes the members of one item. */
    byte[] json(String name, BiConsumer<JsonGenerator, T> item) {
        return JsonResponse.object(json -> {
            json.writeArrayPropertyStart(name);
            for (T each : items) {
                json.writeStartObject();
                item.accept(json, each);
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeStringProperty("next_cursor", next == null ? null : next.toString());
        });
    }
}
