package dev.ligeiro.gateway.api.statement;

import dev.ligeiro.gateway.api.list.ListQuery;
import dev.ligeiro.gateway.http.request.QueryParameters;
import dev.ligeiro.gateway.http.response.Page;
import dev.ligeiro.support.problem.Problem;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;

/**
 * The days of a statement, and where its page begins.
 *
 * @param from the start of the first day
 * @param before the end of the last day
 * @param after the end of the page before; null for the first one
 */
record StatementQuery(Instant from, Instant before, @Nullable Place after) {

    private static final int DAYS_MAX = 366;
    private static final String INITIAL = "initial_date";
    private static final String LAST = "final_date";
    private static final String AFTER = "after";
    private static final String EXPECTED = "expected the next_cursor of a page of these days";

    /**
     * After an entry of a statement. It has the balance there, so that the next page need not add up the entries before it; a changed cursor
     * shows its sender wrong balances, and nothing of others.
     *
     * @param at the time of the entry, in milliseconds precision
     * @param balance in cents
     */
    record Place(Instant at, String id, long balance) {

        String cursor() {
            byte[] idBytes = id.getBytes(StandardCharsets.US_ASCII);
            return Page.cursor(ByteBuffer.allocate(2 * Long.BYTES + idBytes.length)
                    .putLong(at.toEpochMilli())
                    .putLong(balance)
                    .put(idBytes));
        }

        private static Place read(ByteBuffer bytes) {
            Instant at = Instant.ofEpochMilli(bytes.getLong());
            long balance = bytes.getLong();
            return new Place(at, StandardCharsets.US_ASCII.decode(bytes).toString(), balance);
        }
    }

    /**
     * Parses query parameters. One of the dates stands for both; without any, the statement is that of {@code today}.
     *
     * @param paged whether the request may name a page
     * @throws Problem 422 with every unknown, repeated or malformed parameter
     */
    static StatementQuery parse(MultiValueMap<String, String> parameters, boolean paged, LocalDate today, ZoneId zone) {
        QueryParameters given =
                new QueryParameters(parameters, paged ? Set.of(INITIAL, LAST, AFTER) : Set.of(INITIAL, LAST));
        LocalDate initial = given.parsed(INITIAL, text -> date(text, today));
        LocalDate last = given.parsed(LAST, text -> date(text, today));
        Place after = given.parsed(AFTER, text -> Page.place(text, EXPECTED, Place::read, Place::cursor));
        LocalDate first = initial != null ? initial : last != null ? last : today;
        LocalDate end = last != null ? last : first;
        if (first.isAfter(end)) {
            given.reject(INITIAL, "expected a date that is not after final_date");
        } else if (first.plusDays(DAYS_MAX).compareTo(end) <= 0) {
            given.reject(INITIAL, "expected at most " + DAYS_MAX + " days up to final_date");
        }
        StatementQuery query = new StatementQuery(
                first.atStartOfDay(zone).toInstant(),
                end.plusDays(1).atStartOfDay(zone).toInstant(),
                after);
        if (after != null && (after.at().isBefore(query.from) || !after.at().isBefore(query.before))) {
            given.reject(AFTER, EXPECTED);
        }
        given.orThrow();
        return query;
    }

    private static LocalDate date(String text, LocalDate today) {
        LocalDate date = ListQuery.date(text);
        if (date.isAfter(today)) {
            throw new IllegalArgumentException("expected a date that is not in the future");
        }
        return date;
    }
}
