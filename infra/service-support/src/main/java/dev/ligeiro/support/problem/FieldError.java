package dev.ligeiro.support.problem;

/**
 * An error in one field of a request.
 *
 * @param field the name in the request; nested fields with dots, such as {@code fees.cashin.percent}
 * @param code the kind of error for programs: {@code required}, {@code invalid}, {@code too_long} …
 * @param message the expected form for people; never the value, which may be personal data
 */
public record FieldError(String field, String code, String message) {

    public static FieldError required(String field) {
        return new FieldError(field, "required", "expected a value");
    }

    public static FieldError invalid(String field, String message) {
        return new FieldError(field, "invalid", message);
    }

    public static FieldError wrongType(String field, String expected) {
        return new FieldError(field, "wrong_type", "expected " + expected);
    }
}
