package dev.ligeiro.gateway.admin;

import dev.ligeiro.gateway.request.Fields;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/** Reads a time in UTC (RFC 3339). */
final class InstantField {

    private InstantField() {}

    /** A time after {@code now}; null when the field is absent, null or empty. */
    static @Nullable Instant optionalAfter(Fields fields, String field, Instant now) {
        return fields.optionalParsed(field, text -> after(text, now));
    }

    private static Instant after(String text, Instant now) {
        try {
            Instant instant = Instant.parse(text);
            if (instant.isAfter(now)) {
                return instant;
            }
        } catch (DateTimeParseException malformed) {
            throw new IllegalArgumentException("expected an RFC 3339 time in UTC such as 2030-01-31T12:00:00Z");
        }
        throw new IllegalArgumentException("expected a time in the future");
    }
}
