package dev.ligeiro.gateway.http.request;

import dev.ligeiro.support.problem.FieldError;
import dev.ligeiro.transaction.Amount;
import java.math.BigDecimal;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads an amount in reais: a JSON number, or a string of digits with up to two decimals. It is read exactly, never as binary floating
 * point.
 */
public final class AmountField {

    private static final Pattern DIGITS = Pattern.compile("[0-9]{1,20}(\\.[0-9]{1,2})?");

    private AmountField() {}

    /** A required amount from {@code min} to {@code max}, both included, and above 0. */
    public static @Nullable Amount required(Fields fields, String field, Amount min, Amount max) {
        JsonNode node = fields.node(field);
        if (node == null) {
            return fields.error(FieldError.required(field));
        }
        Amount amount = read(fields, field, node, max);
        return amount == null || amount.cents() >= min.cents()
                ? amount
                : fields.error(FieldError.invalid(field, "expected at least " + min));
    }

    /** An amount above 0 and up to {@code max}; null when the field is absent or null. */
    public static @Nullable Amount optional(Fields fields, String field, Amount max) {
        JsonNode node = fields.node(field);
        return node == null ? null : read(fields, field, node, max);
    }

    private static @Nullable Amount read(Fields fields, String field, JsonNode node, Amount max) {
        if (!node.isNumber() && !node.isString()) {
            return fields.error(FieldError.wrongType(field, "a number or a string of digits"));
        }
        if (node.isString() && !DIGITS.matcher(node.stringValue()).matches()) {
            return fields.error(FieldError.invalid(field, "expected digits, a dot and up to 2 decimals"));
        }
        return inRange(fields, field, node.isString() ? new BigDecimal(node.stringValue()) : node.decimalValue(), max);
    }

    private static @Nullable Amount inRange(Fields fields, String field, BigDecimal decimal, Amount max) {
        try {
            Amount amount = Amount.of(decimal);
            if (amount.cents() == 0) {
                return fields.error(FieldError.invalid(field, "expected an amount above 0"));
            }
            return amount.cents() <= max.cents()
                    ? amount
                    : fields.error(FieldError.invalid(field, "expected at most " + max));
        } catch (IllegalArgumentException outOfRange) {
            return fields.error(FieldError.invalid(field, String.valueOf(outOfRange.getMessage())));
        }
    }
}
