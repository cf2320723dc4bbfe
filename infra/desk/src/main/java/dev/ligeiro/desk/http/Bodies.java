package dev.ligeiro.desk.http;

import dev.ligeiro.support.problem.FieldError;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.view.NearestName;
import dev.ligeiro.view.TimeText;
import dev.ligeiro.view.TrimmedText;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.Validator;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import jakarta.validation.groups.Default;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.converter.AbstractHttpMessageConverter;
import org.springframework.stereotype.Component;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonPointer;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.exc.InvalidFormatException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes the record of a request's body: Jackson binds it, Bean Validation checks it. One answer has all errors, those of types and those of
 * constraints. Texts are trimmed, empty ones are null; a member that the record does not have is an error, since the lack of the one that
 * was meant often has the widest effect.
 */
@Component
public class Bodies extends AbstractHttpMessageConverter<Object> {

    private static final int BYTES_MAX = 64 * 1024;
    private static final int ERRORS_MAX = 100;
    private static final int NAME_MAX = 50;
    private static final Pattern UUID_FORM = Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");
    private static final Pattern DECIMAL = Pattern.compile("[0-9]{1,10}(\\.[0-9]{1,4})?");

    private final Validator validator;
    private final JsonMapper json;

    Bodies(Validator validator, JsonMapper json) {
        super(MediaType.APPLICATION_JSON);
        this.validator = validator;
        this.json = json.rebuild()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .enable(
                        DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                        DeserializationFeature.FAIL_ON_TRAILING_TOKENS,
                        DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                .addModule(new SimpleModule("bodies")
                        .addDeserializer(String.class, new Parsed<>(String.class, Bodies::text))
                        .addDeserializer(
                                Instant.class, new Parsed<>(Instant.class, text -> TimeText.parse(given(text))))
                        .addDeserializer(UUID.class, new Parsed<>(UUID.class, Bodies::uuid))
                        .addDeserializer(Amount.class, new Parsed<>(Amount.class, text -> Amount.of(decimal(text)))))
                .build();
    }

    @Override
    protected boolean supports(Class<?> type) {
        return type.isRecord() && type.getName().startsWith("dev.ligeiro.desk.");
    }

    @Override
    public boolean canWrite(Class<?> type, @Nullable MediaType mediaType) {
        return false;
    }

    @Override
    protected void writeInternal(Object body, HttpOutputMessage output) {
        throw new UnsupportedOperationException();
    }

    @Override
    protected Object readInternal(Class<?> type, HttpInputMessage input) throws IOException {
        byte[] body = input.getBody().readNBytes(BYTES_MAX + 1);
        if (body.length > BYTES_MAX) {
            throw Problem.of(ProblemCode.BODY_TOO_LARGE, "Bodies have at most " + BYTES_MAX + " bytes");
        }
        try {
            if (json.readTree(body) instanceof ObjectNode object) {
                return bind(object, type);
            }
        } catch (JacksonException malformed) {
            // the same problem as for another JSON value
        }
        throw Problem.of(ProblemCode.MALFORMED_REQUEST, "The body is no JSON object");
    }

    /**
     * @param groups of constraints, besides those that always hold
     * @throws Problem 422 with all errors in the fields, up to 100
     */
    public <T> T bind(ObjectNode body, Class<T> type, Class<?>... groups) {
        List<FieldError> errors = new ArrayList<>();
        T bound = bound(body, type, errors);
        List<String> unreadable = errors.stream().map(FieldError::field).toList();
        Class<?>[] all = Arrays.copyOf(groups, groups.length + 1);
        all[groups.length] = Default.class;
        validator.validate(bound, all).stream()
                .map(Bodies::error)
                .filter(error -> !unreadable.contains(error.field()))
                .distinct()
                .sorted(Comparator.comparing(FieldError::field))
                .forEach(errors::add);
        if (!errors.isEmpty()) {
            throw Problem.invalid(errors);
        }
        return bound;
    }

    /** Jackson stops at the first member that it cannot bind: that one is removed, and the others are bound. */
    private <T> T bound(ObjectNode body, Class<T> type, List<FieldError> errors) {
        while (true) {
            try {
                return json.treeToValue(body, type);
            } catch (JacksonException unbound) {
                JsonPointer member = member(unbound);
                errors.add(
                        error(unbound, member.toString().replaceFirst("^/", "").replace('/', '.')));
                JsonPointer object = member.head();
                if (object == null
                        || !(body.at(object) instanceof ObjectNode parent)
                        || parent.remove(member.last().getMatchingProperty()) == null
                        || errors.size() == ERRORS_MAX) {
                    throw Problem.invalid(errors);
                }
            }
        }
    }

    /** Of a list, not of its entry. */
    private static JsonPointer member(JacksonException unbound) {
        JsonPointer member = JsonPointer.empty();
        for (JacksonException.Reference step : unbound.getPath()) {
            if (step.getPropertyName() == null) {
                break;
            }
            member = member.appendProperty(step.getPropertyName());
        }
        return member;
    }

    private static FieldError error(JacksonException unbound, String field) {
        if (unbound instanceof UnrecognizedPropertyException unknown) {
            String name = unknown.getPropertyName();
            List<String> known =
                    unknown.getKnownPropertyIds().stream().map(String::valueOf).toList();
            return new FieldError(
                    field,
                    "unknown_field",
                    NearestName.of(name.substring(0, Math.min(name.length(), NAME_MAX)), known)
                            .map(nearest -> "expected a known name; the nearest one is " + nearest)
                            .orElse("expected an object without fields"));
        }
        if (unbound.getCause() instanceof IllegalArgumentException malformed) {
            String message = String.valueOf(malformed.getMessage());
            return FieldError.invalid(field, message.startsWith("expected ") ? message : "expected another form");
        }
        if (unbound instanceof InputCoercionException) {
            return FieldError.invalid(field, "expected a smaller number");
        }
        Class<?> type = unbound instanceof MismatchedInputException mismatch ? mismatch.getTargetType() : null;
        boolean isText = unbound instanceof InvalidFormatException format && format.getValue() instanceof String;
        return type != null && type.isEnum() && isText
                ? FieldError.invalid(field, Problems.oneOf(type))
                : new FieldError(field, "wrong_type", "expected " + (type == null ? "another form" : json(type)));
    }

    private static String json(Class<?> type) {
        if (type == Boolean.class) {
            return "true or false";
        }
        if (type == Amount.class) {
            return "a number or a string of digits";
        }
        if (Collection.class.isAssignableFrom(type)) {
            return "a list of strings";
        }
        return type.isRecord() ? "an object" : Number.class.isAssignableFrom(type) ? "a whole number" : "a string";
    }

    private static FieldError error(ConstraintViolation<?> violation) {
        Class<?> constraint =
                violation.getConstraintDescriptor().getAnnotation().annotationType();
        boolean isMissing = constraint == NotNull.class
                || constraint == NotBlank.class
                || constraint == NotEmpty.class && violation.getInvalidValue() == null;
        boolean isTooLong = constraint == Size.class && violation.getInvalidValue() instanceof String;
        String field = violation
                .getPropertyPath()
                .toString()
                .replaceAll("\\[[0-9]+\\]\\.<[a-z ]+>$", "")
                .replaceAll("([a-z0-9])([A-Z])", "$1_$2")
                .toLowerCase(Locale.ROOT);
        return isMissing
                ? FieldError.required(field)
                : new FieldError(field, isTooLong ? "too_long" : "invalid", violation.getMessage());
    }

    /** Reads a string by a parser that throws {@link IllegalArgumentException} with what it expects. */
    private static class Parsed<T> extends StdDeserializer<T> {

        private final Function<String, @Nullable T> parse;

        Parsed(Class<T> type, Function<String, @Nullable T> parse) {
            super(type);
            this.parse = parse;
        }

        @Override
        @SuppressWarnings("unchecked")
        public @Nullable T deserialize(JsonParser parser, DeserializationContext context) {
            boolean isAmount =
                    handledType() == Amount.class && parser.currentToken().isNumeric();
            return isAmount || parser.hasToken(JsonToken.VALUE_STRING)
                    ? parse.apply(TrimmedText.of(parser.getString()))
                    : (T) context.handleUnexpectedToken(getValueType(context), parser);
        }
    }

    /**
     * Reads a text that means one when it is given and all when it is absent ({@code @JsonDeserialize(using = …)}): an empty one is an
     * error.
     */
    public static final class GivenText extends Parsed<String> {

        public GivenText() {
            super(String.class, text -> text(given(text)));
        }
    }

    private static String given(String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("expected a value, or no such field");
        }
        return text;
    }

    private static @Nullable String text(String text) {
        if (text.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("expected no control characters");
        }
        if (text.codePoints().anyMatch(point -> point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE)) {
            throw new IllegalArgumentException("expected whole Unicode characters, found half of a surrogate pair");
        }
        return text.isEmpty() ? null : text;
    }

    /** A JSON number or a string of digits with decimals, such as {@code 12.50}. */
    public static BigDecimal decimal(String text) {
        if (!DECIMAL.matcher(text).matches()) {
            throw new IllegalArgumentException("expected digits, a dot and decimals, as a string");
        }
        return new BigDecimal(text);
    }

    private static UUID uuid(String text) {
        if (!UUID_FORM.matcher(given(text)).matches()) {
            throw new IllegalArgumentException("expected a UUID");
        }
        return UUID.fromString(text);
    }
}
