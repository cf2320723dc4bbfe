package dev.ligeiro.desk.http;

import dev.ligeiro.transaction.Coded;
import java.util.Arrays;

/**
 * An error in one field of a request.
 *
 * @param field the name in the request; nested fields with dots, such as {@code fees.cashin.percent}
 * @param code the kind of error for programs: {@code required}, {@code invalid}, {@code too_long}, {@code wrong_type}, {@code unknown_field}
 * @param message the expected form for people; never the value, which may be personal data
 */
public record FieldError(String field, String code, String message) {

    public static FieldError required(String field) {
        return new FieldError(field, "required", "expected a value");
    }

    public static FieldError invalid(String field, String message) {
        return new FieldError(field, "invalid", message);
    }

    /** The message about a value that is no code of a type's constants. */
    static String oneOf(Class<?> type) {
        return "expected one of "
                + Arrays.stream(type.getEnumConstants())
                        .map(constant -> ((Coded) constant).code())
                        .toList();
    }
}
