package dev.ligeiro.infra.loadtest.list;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A page of a list, as the gateway answered it.
 *
 * @param took from the first request to the end of the response, refusals and waits included
 * @param unavailable how many requests were answered 503 until then
 */
record TimedPage(
        List<UUID> ids, long number, long last, @Nullable String next, long total, Duration took, int unavailable) {

    static final int SIZE = 100;

    static TimedPage of(JsonNode json, Duration took, int unavailable) {
        List<UUID> ids = new ArrayList<>();
        json.required("transactions")
                .forEach(item -> ids.add(UUID.fromString(item.required("id").asString())));
        JsonNode next = json.required("next_page_url");
        return new TimedPage(
                ids,
                json.required("current_page").asLong(),
                json.required("last_page").asLong(),
                next.isNull() ? null : next.asString(),
                json.required("total").asLong(),
                took,
                unavailable);
    }

    /** Whether it has as many rows as a page with this number must have, the newest first, while no transaction changes. */
    boolean isWhole() {
        long rows = Math.max(0, Math.min(SIZE, total - (number - 1) * SIZE));
        boolean hasNext = next != null;
        return ids.size() == rows && hasNext == number < last && isNewestFirst();
    }

    private boolean isNewestFirst() {
        for (int i = 1; i < ids.size(); i++) {
            // hex digits sort as the bytes do
            if (ids.get(i - 1).toString().compareTo(ids.get(i).toString()) <= 0) {
                return false;
            }
        }
        return true;
    }
}
