package dev.ligeiro.processor.rail.bank;

import dev.ligeiro.processor.rail.RailFault;
import dev.ligeiro.transaction.Amount;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Reads the fields of a bank's JSON. One that is not as the Pix API says is a {@link RailFault} that names it and hides its value. */
public final class BankFields {

    /** Longer than any id of the Pix API, which all have letters and digits only; so an id can be part of a path. */
    private static final Pattern ID = Pattern.compile("[a-zA-Z0-9]{1,64}");

    private static final Pattern ANY = Pattern.compile("(?s).*");
    private static final String TIME = "a time with a zone";
    private static final Pattern AMOUNT = Pattern.compile("\\d{1,10}\\.\\d{2}");

    private BankFields() {}

    public static String text(JsonNode object, String field) {
        return matching(object, field, ANY, "a text");
    }

    private static String matching(JsonNode object, String field, Pattern form, String expected) {
        JsonNode value = object.path(field);
        if (!value.isString() || !form.matcher(value.stringValue()).matches()) {
            throw fault(field, value, expected);
        }
        return value.stringValue();
    }

    /** An id of letters and digits. */
    public static String id(JsonNode object, String field) {
        return matching(object, field, ID, "letters and digits");
    }

    public static long number(JsonNode object, String field) {
        JsonNode value = object.path(field);
        if (!value.isIntegralNumber() || !value.canConvertToLong()) {
            throw fault(field, value, "a whole number");
        }
        return value.longValue();
    }

    /** An amount such as {@code 10.00}. A number is refused: what the bank means by 10.5 or 1e1 is a guess. */
    public static Amount amount(JsonNode object, String field) {
        return Amount.of(new BigDecimal(matching(object, field, AMOUNT, "an amount such as 10.00")));
    }

    /** A time with its zone (RFC 3339). */
    public static Instant time(JsonNode object, String field) {
        try {
            return OffsetDateTime.parse(matching(object, field, ANY, TIME)).toInstant();
        } catch (DateTimeException invalid) {
            throw fault(field, object.path(field), TIME);
        }
    }

    /** The objects of a list; none if it is missing. */
    public static List<JsonNode> list(JsonNode object, String field) {
        JsonNode list = object.path(field);
        if (list.isMissingNode() || list.isNull()) {
            return List.of();
        }
        if (!list.isArray()) {
            throw fault(field, list, "a list");
        }
        return list.valueStream().toList();
    }

    /** A fault of a field that has none of the known values. */
    public static RailFault unknown(JsonNode object, String field, Object... known) {
        return fault(
                field,
                object.path(field),
                "one of " + Stream.of(known).map(String::valueOf).toList());
    }

    private static RailFault fault(String field, JsonNode found, String expected) {
        return new RailFault(field + ": "
                + (found.isMissingNode()
                        ? "missing"
                        : "another " + found.getNodeType().name().toLowerCase(Locale.ROOT))
                + " (expected: " + expected + ")");
    }
}
