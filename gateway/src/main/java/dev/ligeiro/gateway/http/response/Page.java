package dev.ligeiro.gateway.http.response;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.util.Base64;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * A page of a list: {@code {"name": [{…}, …], "next_cursor": …}}.
 *
 * @param next the cursor of the next page; null on the last page
 */
public record Page<T>(List<T> items, @Nullable String next) {

    public static final int ITEMS_MAX = 100;

    private static final String CURSOR_PREFIX = "cur_";

    /** A list that has one page. */
    public static <T> Page<T> all(List<T> items) {
        return new Page<>(items, null);
    }

    /**
     * A page of at most {@link #ITEMS_MAX} items.
     *
     * @param found one item more than a page has tells that another page follows
     * @param cursor of the next page, by the last item
     */
    public static <T> Page<T> of(List<T> found, Function<T, String> cursor) {
        return found.size() <= ITEMS_MAX
                ? all(found)
                : new Page<>(found.subList(0, ITEMS_MAX), cursor.apply(found.get(ITEMS_MAX - 1)));
    }

    /** @param members writes those of an item */
    public byte[] json(String name, BiConsumer<JsonGenerator, T> members) {
        return JsonResponse.object(json -> {
            JsonResponse.objects(json, name, items, members);
            json.writeStringProperty("next_cursor", next);
        });
    }

    /** A place in a list as text: {@code cur_} and base64url, which merchants do not interpret. */
    public static String cursor(ByteBuffer place) {
        return CURSOR_PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(place.array());
    }

    /**
     * The place of a cursor. Only the one text that stands for the place is accepted.
     *
     * @throws IllegalArgumentException with {@code expected} as its message
     */
    public static <T> T place(String cursor, String expected, Function<ByteBuffer, T> read, Function<T, String> text) {
        try {
            String encoded = cursor.startsWith(CURSOR_PREFIX) ? cursor.substring(CURSOR_PREFIX.length()) : "";
            T place = read.apply(ByteBuffer.wrap(Base64.getUrlDecoder().decode(encoded)));
            if (text.apply(place).equals(cursor)) {
                return place;
            }
        } catch (IllegalArgumentException
                | BufferUnderflowException
                | DateTimeException
                | ArithmeticException malformed) {
            // same message as for another text of the same place
        }
        throw new IllegalArgumentException(expected);
    }
}
