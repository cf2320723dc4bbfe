package dev.ligeiro.gateway.http.request;

import dev.ligeiro.support.problem.FieldError;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.view.NearestName;
import dev.ligeiro.view.TrimmedText;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads and checks the fields of one JSON object. It collects the errors, so that one response names them all: a failed read returns
 * null, and {@link #orThrow} throws afterwards. A field that nobody has asked for until then is an error too: the lack of the field that
 * was meant often has the widest effect, such as no limit.
 */
public final class Fields {

    private static final Duration EXPIRES_IN_MAX = Duration.ofDays(365);

    private static final Pattern AMOUNT = Pattern.compile("[0-9]{1,20}(\\.[0-9]{1,2})?");

    private static final Pattern PAIR_NAME = Pattern.compile("[A-Za-z0-9_-]{1,50}");

    private static final int PAIR_VALUE_MAX = 255;

    /** So many unknown fields are named, each with so many characters. */
    private static final int UNKNOWN_MAX = 20;

    private static final int UNKNOWN_LENGTH_MAX = 50;

    private final ObjectNode object;
    private final List<FieldError> errors = new ArrayList<>();
    /** The fields that were asked for; null if others are ignored. */
    private @Nullable Set<String> known = new HashSet<>();

    public Fields(ObjectNode object) {
        this.object = object;
    }

    /** Ignores fields that are not asked for. Only creates do so: merchants' systems send more with them than is read. */
    public void ignoreUnknown() {
        known = null;
    }

    /** A required text, trimmed ({@link TrimmedText}), of 1 to {@code codePointsMax} code points without control characters. */
    public @Nullable String requiredText(String field, int codePointsMax) {
        return text(field, codePointsMax, true);
    }

    /** As {@link #requiredText}, but null when the field is absent, null or empty. */
    public @Nullable String optionalText(String field, int codePointsMax) {
        return text(field, codePointsMax, false);
    }

    /** An untrimmed text that may contain tabs and newlines; null when the field is absent, null or empty. */
    public @Nullable String optionalVerbatim(String field, int codePointsMax) {
        String given = string(field, false);
        return given == null || given.isEmpty() ? null : checked(field, given, codePointsMax, true);
    }

    /** The parsed text of a required field. {@code parse} throws {@link IllegalArgumentException} with the expected form as its message. */
    public <T> @Nullable T requiredParsed(String field, Function<String, T> parse) {
        String given = string(field, true);
        if (given == null) {
            return null;
        }
        String trimmed = TrimmedText.of(given);
        if (trimmed.isEmpty()) {
            return error(FieldError.required(field));
        }
        return parsed(field, trimmed, parse);
    }

    /** As {@link #requiredParsed}, but null when the field is absent, null or empty. */
    public <T> @Nullable T optionalParsed(String field, Function<String, T> parse) {
        String given = string(field, false);
        String trimmed = given == null ? "" : TrimmedText.of(given);
        return trimmed.isEmpty() ? null : parsed(field, trimmed, parse);
    }

    public @Nullable UUID requiredUuid(String field) {
        return requiredParsed(field, Fields::uuid);
    }

    /** {@code expires_in}, in seconds: how long a transaction stays pending, up to 365 days; null when the field is absent or null. */
    public @Nullable Duration expiresIn() {
        Long seconds = optionalInteger("expires_in", 1, EXPIRES_IN_MAX.toSeconds());
        return seconds == null ? null : Duration.ofSeconds(seconds);
    }

    /** A required amount in reais from {@code min} to {@code max}, both included, and above 0. */
    public @Nullable Amount requiredAmount(String field, Amount min, Amount max) {
        if (node(field) == null) {
            return error(FieldError.required(field));
        }
        Amount amount = optionalAmount(field, max);
        return amount == null || amount.cents() >= min.cents()
                ? amount
                : error(FieldError.invalid(field, "expected at least " + min));
    }

    /**
     * An amount in reais above 0 and up to {@code max}: a JSON number, or a string of digits with up to two decimals. It is read exactly,
     * never as binary floating point. Null when the field is absent or null.
     */
    public @Nullable Amount optionalAmount(String field, Amount max) {
        JsonNode node = node(field);
        if (node == null) {
            return null;
        }
        if (!node.isNumber() && !node.isString()) {
            return error(FieldError.wrongType(field, "a number or a string of digits"));
        }
        try {
            Amount amount = node.isString() ? amount(node.stringValue()) : Amount.of(node.decimalValue());
            if (amount.cents() == 0) {
                return error(FieldError.invalid(field, "expected an amount above 0"));
            }
            return amount.cents() <= max.cents() ? amount : error(FieldError.invalid(field, "expected at most " + max));
        } catch (IllegalArgumentException outOfRange) {
            return error(FieldError.invalid(field, String.valueOf(outOfRange.getMessage())));
        }
    }

    /**
     * A whole number from {@code min} to {@code max}; null when the field is absent or null. The value counts, not its form: 60.0 and 6e1
     * are 60, as for an {@code integer} of JSON Schema.
     */
    public @Nullable Long optionalInteger(String field, long min, long max) {
        JsonNode node = node(field);
        if (node == null) {
            return null;
        }
        if (!isWhole(node)) {
            return error(FieldError.wrongType(field, "a whole number"));
        }
        // compared as decimals, because 1e999999999 as a BigInteger takes 400 MB
        BigDecimal value = node.decimalValue();
        boolean isInRange =
                value.compareTo(BigDecimal.valueOf(min)) >= 0 && value.compareTo(BigDecimal.valueOf(max)) <= 0;
        return isInRange
                ? (Long) value.longValueExact()
                : error(FieldError.invalid(field, "expected " + min + " to " + max));
    }

    /** The names of all fields that are present. */
    public Set<String> names() {
        return Set.copyOf(object.propertyNames());
    }

    /** Whether the field is present; it may be null. */
    public boolean has(String field) {
        if (known != null) {
            known.add(field);
        }
        return object.has(field);
    }

    /** The value of a field; null when it is absent or null. */
    public @Nullable JsonNode node(String field) {
        if (known != null) {
            known.add(field);
        }
        JsonNode node = object.get(field);
        return node == null || node.isNull() ? null : node;
    }

    /** A list of strings, at least one; null when it is absent or null. An empty list could mean none, while no list often means all. */
    public @Nullable List<String> optionalStrings(String field) {
        JsonNode node = node(field);
        if (node == null) {
            return null;
        }
        List<String> strings = new ArrayList<>();
        for (JsonNode element : node) {
            if (element.isString()) {
                strings.add(element.stringValue());
            }
        }
        if (!node.isArray() || strings.size() != node.size()) {
            return error(FieldError.wrongType(field, "a list of strings"));
        }
        return strings.isEmpty()
                ? error(FieldError.invalid(field, "expected at least one entry, or no such field"))
                : strings;
    }

    /**
     * An object of strings: names of letters, digits, {@code _} and {@code -}, and untrimmed texts without control characters. Null when it is
     * absent, null or empty; a pair whose value is null is left out.
     *
     * @param bytesMax of the object as JSON without spaces, in UTF-8
     */
    public @Nullable Map<String, String> optionalPairs(String field, int pairsMax, int bytesMax) {
        JsonNode node = node(field);
        if (node == null) {
            return null;
        }
        if (!node.isObject()) {
            return error(FieldError.wrongType(field, "an object of strings"));
        }
        if (node.size() > pairsMax) {
            return error(FieldError.invalid(field, "expected at most " + pairsMax + " pairs"));
        }
        Fields inner = new Fields((ObjectNode) node);
        Map<String, String> pairs = new LinkedHashMap<>();
        // two braces, and one comma less than pairs
        int bytes = 1;
        for (String name : node.propertyNames()) {
            String value = inner.string(name, false);
            if (!PAIR_NAME.matcher(name).matches()) {
                inner.reject(
                        FieldError.invalid(shortened(name), "expected a name of 1 to 50 letters, digits, _ and -"));
            } else if (value != null && inner.checked(name, value, PAIR_VALUE_MAX, false) != null) {
                pairs.put(name, value);
                bytes += jsonBytes(name, value);
            }
        }
        inner.errors.forEach(
                error -> reject(new FieldError(field + "." + error.field(), error.code(), error.message())));
        if (inner.errors.isEmpty() && bytes > bytesMax) {
            return error(new FieldError(field, "too_long", "expected at most " + bytesMax + " bytes of JSON"));
        }
        return pairs.isEmpty() ? null : pairs;
    }

    /** With quotes, colon and comma. Of the characters of a checked text, only quotes and backslashes need an escape. */
    private static int jsonBytes(String name, String value) {
        int escapes = (int) value.chars()
                .filter(character -> character == '"' || character == '\\')
                .count();
        return name.length() + value.getBytes(StandardCharsets.UTF_8).length + escapes + 6;
    }

    /** A boolean; {@code otherwise} when it is absent, null or of another type. */
    public boolean optionalBoolean(String field, boolean otherwise) {
        Boolean given = optionalBoolean(field);
        return given == null ? otherwise : given;
    }

    /** A boolean; null when it is absent, null or of another type. */
    public @Nullable Boolean optionalBoolean(String field) {
        JsonNode node = node(field);
        if (node != null && !node.isBoolean()) {
            errors.add(FieldError.wrongType(field, "true or false"));
        }
        return node != null && node.isBoolean() ? node.booleanValue() : null;
    }

    /** Adds an error. */
    public void reject(FieldError error) {
        errors.add(error);
    }

    /** Adds an error and returns null. */
    public <T> @Nullable T error(FieldError error) {
        errors.add(error);
        return null;
    }

    /** @throws Problem 422 with all errors, if there are any */
    public void orThrow() {
        rejectUnknown();
        if (!errors.isEmpty()) {
            throw Problem.invalid(errors);
        }
    }

    private void rejectUnknown() {
        if (known != null && !known.containsAll(object.propertyNames())) {
            Set<String> names = known;
            object.propertyNames().stream()
                    .filter(name -> !names.contains(name))
                    .limit(UNKNOWN_MAX)
                    .map(Fields::shortened)
                    .map(name -> new FieldError(name, "unknown_field", expected(name, names)))
                    .forEach(errors::add);
        }
    }

    private static String shortened(String name) {
        return name.length() > UNKNOWN_LENGTH_MAX ? name.substring(0, UNKNOWN_LENGTH_MAX) : name;
    }

    /** The name that was probably meant. */
    private static String expected(String name, Set<String> known) {
        return NearestName.of(name, known)
                .map(nearest -> "expected a known name; the nearest one is " + nearest)
                .orElse("expected an object without fields");
    }

    /**
     * Parses an amount in reais, which may be 0: digits with up to two decimals.
     *
     * @throws IllegalArgumentException if it has another form, or is above {@link Amount#MAX}; the message states the rule
     */
    public static Amount amount(String text) {
        if (!AMOUNT.matcher(text).matches()) {
            throw new IllegalArgumentException("expected digits, a dot and up to 2 decimals");
        }
        return Amount.of(new BigDecimal(text));
    }

    /** Parses a UUID in its canonical form, in upper or lower case. */
    public static UUID uuid(String text) {
        try {
            UUID uuid = UUID.fromString(text);
            if (uuid.toString().equalsIgnoreCase(text)) {
                return uuid;
            }
        } catch (IllegalArgumentException malformed) {
            // same message as for a UUID in another form
        }
        throw new IllegalArgumentException("expected a UUID of the form 8-4-4-4-12");
    }

    private static boolean isWhole(JsonNode node) {
        return node.isNumber() && node.decimalValue().stripTrailingZeros().scale() <= 0;
    }

    private @Nullable String text(String field, int codePointsMax, boolean required) {
        String given = string(field, required);
        if (given == null) {
            return null;
        }
        String trimmed = TrimmedText.of(given);
        if (trimmed.isEmpty()) {
            return required ? error(FieldError.required(field)) : null;
        }
        return checked(field, trimmed, codePointsMax, false);
    }

    private @Nullable String string(String field, boolean required) {
        JsonNode node = node(field);
        if (node == null) {
            return required ? error(FieldError.required(field)) : null;
        }
        return node.isString() ? node.stringValue() : error(FieldError.wrongType(field, "a string"));
    }

    private @Nullable String checked(String field, String text, int codePointsMax, boolean isVerbatim) {
        if (text.length() > codePointsMax && text.codePointCount(0, text.length()) > codePointsMax) {
            return error(new FieldError(field, "too_long", "expected at most " + codePointsMax + " characters"));
        }
        String fault = fault(text, isVerbatim);
        return fault == null ? text : error(FieldError.invalid(field, fault));
    }

    private <T> @Nullable T parsed(String field, String text, Function<String, T> parse) {
        try {
            return parse.apply(text);
        } catch (IllegalArgumentException invalid) {
            return error(FieldError.invalid(field, String.valueOf(invalid.getMessage())));
        }
    }

    /** The error message for a text; null when it has no control characters and no half of a surrogate pair. */
    private static @Nullable String fault(String text, boolean isVerbatim) {
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            boolean isBreak = character == '\t' || character == '\n' || character == '\r';
            if (Character.isISOControl(character) && !(isVerbatim && isBreak)) {
                return "expected no control characters";
            }
            if (Character.isSurrogate(character)) {
                if (!Character.isHighSurrogate(character)
                        || i + 1 == text.length()
                        || !Character.isLowSurrogate(text.charAt(i + 1))) {
                    return "expected whole Unicode characters, found half of a surrogate pair";
                }
                i++;
            }
        }
        return null;
    }
}
