package dev.ligeiro.gateway.problem;

/**
 * What is wrong with one field of a request.
 *
 * @param field the field's name as the caller wrote it, {@code fees.cashin.percent} for one inside another
 * @param code a word for machines: {@code required}, {@code invalid}, {@code too_long} …
 * @param message what was expected, for people; never the value, which may be personal data
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
