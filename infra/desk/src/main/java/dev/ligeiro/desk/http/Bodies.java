package dev.ligeiro.desk.http;

import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Coded;
import dev.ligeiro.view.TimeText;
import dev.ligeiro.view.TrimmedText;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.Validator;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.DeserializationProblemHandler;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes the record of a request's body: Jackson binds it, Bean Validation checks it. One answer has all errors, those of types and those of
 * constraints. Texts are trimmed, empty ones are null; a member that the record does not have is an error, since the lack of the one that
 * was meant often has the widest effect.
 */
@Component
public class Bodies {

    private static final Pattern DECIMAL = Pattern.compile("[0-9]{1,10}(\\.[0-9]{1,4})?");

    private final Validator validator;
    private final JsonMapper json = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .addModule(new SimpleModule()
                    .addDeserializer(String.class, parsed(String.class, "a string", Bodies::text))
                    .addDeserializer(Amount.class, parsed(Amount.class, "a string", text -> Amount.of(decimal(text))))
                    .addDeserializer(Instant.class, parsed(Instant.class, "a string", TimeText::parse)))
            .build();

    Bodies(Validator validator) {
        this.validator = validator;
    }

    /** @throws Problem 422 with all errors in the fields */
    public <T> T bind(ObjectNode body, Class<T> type) {
        List<FieldError> errors = new ArrayList<>();
        @Nullable T bound;
        try {
            bound = json.readerFor(type).withHandler(new Collector(errors)).readValue(body);
        } catch (JacksonException unbound) {
            throw Problem.of(ProblemCode.MALFORMED_REQUEST, "The body cannot be read");
        }
        if (bound == null) {
            throw Problem.of(ProblemCode.MALFORMED_REQUEST, "The body is no JSON object");
        }
        Set<String> unreadable = new HashSet<>();
        errors.forEach(error -> unreadable.add(error.field()));
        validator.validate(bound).stream()
                .map(Bodies::error)
                .filter(error -> !unreadable.contains(error.field()))
                .sorted((one, other) -> one.field().compareTo(other.field()))
                .forEach(errors::add);
        if (!errors.isEmpty()) {
            throw Problem.invalid(errors);
        }
        return bound;
    }

    /** A JSON number or a string of digits with decimals, such as {@code 12.50}. */
    public static BigDecimal decimal(String text) {
        if (!DECIMAL.matcher(text).matches()) {
            throw new IllegalArgumentException("expected digits, a dot and decimals, as a string");
        }
        return new BigDecimal(text);
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
                .replaceAll("([a-z0-9])([A-Z])", "$1_$2")
                .toLowerCase(Locale.ROOT);
        return isMissing
                ? FieldError.required(field)
                : new FieldError(field, isTooLong ? "too_long" : "invalid", violation.getMessage());
    }

    private static @Nullable String text(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isISOControl(text.charAt(i))) {
                throw new IllegalArgumentException("expected no control characters");
            }
        }
        if (text.codePoints().anyMatch(point -> point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE)) {
            throw new IllegalArgumentException("expected whole Unicode characters, found half of a surrogate pair");
        }
        return text.isEmpty() ? null : text;
    }

    /** Reads a JSON string. An empty one is an error, but for texts: it could mean none, while no such field often means the widest. */
    private static <T> ValueDeserializer<T> parsed(
            Class<T> type, String expected, Function<String, @Nullable T> parse) {
        return new StdDeserializer<>(type) {
            @Override
            @SuppressWarnings("unchecked")
            public @Nullable T deserialize(JsonParser parser, DeserializationContext context) {
                if (!parser.hasToken(JsonToken.VALUE_STRING)) {
                    return (T) context.handleUnexpectedToken(
                            context.constructType(type), parser.currentToken(), parser, "expected " + expected);
                }
                String text = TrimmedText.of(parser.getString());
                try {
                    if (text.isEmpty() && type != String.class) {
                        throw new IllegalArgumentException("expected a value, or no such field");
                    }
                    return parse.apply(text);
                } catch (IllegalArgumentException malformed) {
                    return (T) context.handleWeirdStringValue(type, text, "%s", malformed.getMessage());
                }
            }
        };
    }

    /** Collects what Jackson cannot bind, and goes on. */
    private static final class Collector extends DeserializationProblemHandler {

        private final List<FieldError> errors;

        Collector(List<FieldError> errors) {
            this.errors = errors;
        }

        @Override
        public boolean handleUnknownProperty(
                DeserializationContext context,
                @Nullable JsonParser parser,
                ValueDeserializer<?> deserializer,
                Object beanOrClass,
                String name) {
            if (parser != null) {
                errors.add(UnknownField.error(path(parser), name, deserializer.getKnownPropertyNames()));
                parser.skipChildren();
            }
            return true;
        }

        @Override
        public @Nullable Object handleWeirdStringValue(
                DeserializationContext context, Class<?> type, String value, String message) {
            errors.add(FieldError.invalid(path(context.getParser()), message(type, message)));
            return null;
        }

        @Override
        public @Nullable Object handleWeirdNumberValue(
                DeserializationContext context, Class<?> type, Number value, String message) {
            errors.add(FieldError.invalid(path(context.getParser()), message(type, message)));
            return null;
        }

        @Override
        public @Nullable Object handleUnexpectedToken(
                DeserializationContext context, JavaType type, JsonToken token, JsonParser parser, String message) {
            errors.add(new FieldError(path(parser), "wrong_type", message(type.getRawClass(), message)));
            parser.skipChildren();
            return null;
        }

        private static String path(JsonParser parser) {
            return parser.streamReadContext()
                    .pathAsPointer()
                    .toString()
                    .substring(1)
                    .replace('/', '.');
        }

        private static String message(Class<?> type, @Nullable String message) {
            if (type.isEnum() && Coded.class.isAssignableFrom(type)) {
                List<String> codes = Arrays.stream(type.getEnumConstants())
                        .map(constant -> ((Coded) constant).code())
                        .toList();
                return "expected one of " + codes;
            }
            if (message != null && message.startsWith("expected ")) {
                return message;
            }
            if (type == Boolean.class) {
                return "expected true or false";
            }
            if (Number.class.isAssignableFrom(type)) {
                return "expected a whole number";
            }
            return type.isRecord()
                    ? "expected an object"
                    : List.class.isAssignableFrom(type) ? "expected a list of strings" : "expected another form";
        }
    }
}
