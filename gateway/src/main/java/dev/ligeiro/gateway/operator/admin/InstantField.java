package dev.ligeiro.gateway.operator.admin;

import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.gateway.http.request.TimeText;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Reads a time in the future. */
final class InstantField {

    private InstantField() {}

    /** A time after {@code now}; null when the field is absent, null or empty. */
    static @Nullable Instant optionalAfter(Fields fields, String field, Instant now) {
        return fields.optionalParsed(field, text -> after(text, now));
    }

    private static Instant after(String text, Instant now) {
        Instant instant = TimeText.parse(text);
        if (instant.isAfter(now)) {
            return instant;
        }
        throw new IllegalArgumentException("expected a time in the future");
    }
}
