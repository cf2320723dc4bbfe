package dev.ligeiro.gateway.api.statement;

import dev.ligeiro.gateway.api.list.ListQuery;
import dev.ligeiro.gateway.http.request.QueryParameters;
import dev.ligeiro.support.problem.Problem;
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
record StatementQuery(Instant from, Instant before, @Nullable StatementCursor after) {

    private static final int DAYS_MAX = 366;
    private static final String INITIAL = "initial_date";
    private static final String LAST = "final_date";
    private static final String AFTER = "after";

    /**
     * Parses query parameters. One of the dates stands for both; without any, the statement is that of {@code today}.
     *
     * @throws Problem 422 with every unknown, repeated or malformed parameter
     */
    static StatementQuery parse(MultiValueMap<String, String> parameters, LocalDate today, ZoneId zone) {
        return parse(new QueryParameters(parameters, Set.of(INITIAL, LAST, AFTER)), today, zone);
    }

    /** As {@link #parse}, of a request that has no pages. */
    static StatementQuery parseDays(MultiValueMap<String, String> parameters, LocalDate today, ZoneId zone) {
        return parse(new QueryParameters(parameters, Set.of(INITIAL, LAST)), today, zone);
    }

    private static StatementQuery parse(QueryParameters given, LocalDate today, ZoneId zone) {
        LocalDate initial = given.parsed(INITIAL, text -> date(text, today));
        LocalDate last = given.parsed(LAST, text -> date(text, today));
        StatementCursor after = given.parsed(AFTER, StatementCursor::parse);
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
            given.reject(AFTER, StatementCursor.EXPECTED);
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
