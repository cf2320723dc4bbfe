package dev.ligeiro.view;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;

/** Reads times of requests (RFC 3339). */
public final class TimeText {

    /** RFC 3339 has no longer year, and responses show the time in UTC. */
    public static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999Z");

    private static final Instant EARLIEST = Instant.parse("0000-01-01T00:00:00Z");

    /** Java's parser also reads longer and negative years. */
    private static final Pattern YEAR = Pattern.compile("[0-9]{4}-");

    private TimeText() {}

    /**
     * The time in milliseconds, as MongoDB stores it: each response shows the same time.
     *
     * @throws IllegalArgumentException with the expected form as its message
     */
    public static Instant parse(String text) {
        try {
            if (YEAR.matcher(text).lookingAt()) {
                Instant time = OffsetDateTime.parse(text).toInstant().truncatedTo(ChronoUnit.MILLIS);
                if (!time.isBefore(EARLIEST) && !time.isAfter(LATEST)) {
                    return time;
                }
            }
        } catch (DateTimeParseException malformed) {
            // falls through to the one message
        }
        throw new IllegalArgumentException("expected a time such as 2026-03-10T14:30:00Z (RFC 3339)");
    }
}
