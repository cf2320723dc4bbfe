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
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.DeserializationProblemHandler;
import tools.jackson.databind.deser.ValueDeserializerModifier;
import tools.jackson.databind.deser.ValueInstantiator;
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

    private static final int UUID_LENGTH = 36;
    private static final Pattern DECIMAL = Pattern.compile("[0-9]{1,10}(\\.[0-9]{1,4})?");

    private final Validator validator;
    private final JsonMapper json = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .addModule(new SimpleModule()
                    .addDeserializer(String.class, parsed(String.class, "a string", Bodies::text))
                    .addDeserializer(
                            Amount.class,
                            strict(
                                    Amount.class,
                                    token -> token == JsonToken.VALUE_STRING || token.isNumeric(),
                                    "a number or a string of digits",
                                    Bodies::amount))
                    .addDeserializer(Instant.class, parsed(Instant.class, "a string", TimeText::parse))
                    .addDeserializer(UUID.class, parsed(UUID.class, "a string", Bodies::uuid))
                    .addDeserializer(Integer.class, wholeNumber(Integer.class, JsonParser::getIntValue))
                    .addDeserializer(Long.class, wholeNumber(Long.class, JsonParser::getLongValue))
                    .addDeserializer(
                            Boolean.class,
                            strict(
                                    Boolean.class,
                                    JsonToken::isBoolean,
                                    "true or false",
                                    (parser, context) -> parser.getBooleanValue()))
                    .setDeserializerModifier(new CodedEnums()))
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
        } catch (DatabindException unbound) {
            errors.add(new FieldError(
                    unbound.getPath().stream()
                            .map(JacksonException.Reference::getPropertyName)
                            .filter(Objects::nonNull)
                            .collect(Collectors.joining(".")),
                    "wrong_type",
                    "expected another form"));
            throw Problem.invalid(errors);
        }
        if (bound == null) {
            throw Problem.of(ProblemCode.MALFORMED_REQUEST, "The body is no JSON object");
        }
        Set<String> unreadable = new HashSet<>();
        errors.forEach(error -> unreadable.add(error.field()));
        validator.validate(bound).stream()
                .map(Bodies::error)
                .filter(error -> !unreadable.contains(error.field()))
                .distinct()
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
                .replaceAll("\\[[0-9]+\\]\\.<[a-z ]+>$", "")
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

    /** Exact, never through binary floating point. */
    private static @Nullable Object amount(JsonParser parser, DeserializationContext context) {
        boolean isNumber = parser.currentToken().isNumeric();
        String text = isNumber ? "" : TrimmedText.of(parser.getString());
        try {
            return Amount.of(isNumber ? parser.getDecimalValue() : decimal(text));
        } catch (IllegalArgumentException malformed) {
            return context.handleWeirdStringValue(Amount.class, text, "%s", malformed.getMessage());
        }
    }

    private static UUID uuid(String text) {
        if (text.length() != UUID_LENGTH) {
            throw new IllegalArgumentException("expected a UUID");
        }
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException malformed) {
            throw new IllegalArgumentException("expected a UUID", malformed);
        }
    }

    /** Reads a JSON string. An empty one is an error, but for texts: it could mean none, while no such field often means the widest. */
    private static <T> ValueDeserializer<T> parsed(
            Class<T> type, String expected, Function<String, @Nullable T> parse) {
        return strict(type, token -> token == JsonToken.VALUE_STRING, expected, (parser, context) -> {
            String text = TrimmedText.of(parser.getString());
            try {
                if (text.isEmpty() && type != String.class) {
                    throw new IllegalArgumentException("expected a value, or no such field");
                }
                return parse.apply(text);
            } catch (IllegalArgumentException malformed) {
                return context.handleWeirdStringValue(type, text, "%s", malformed.getMessage());
            }
        });
    }

    private static <T extends Number> ValueDeserializer<T> wholeNumber(
            Class<T> type, Function<JsonParser, @Nullable T> read) {
        return strict(type, token -> token == JsonToken.VALUE_NUMBER_INT, "a whole number", (parser, context) -> {
            try {
                return read.apply(parser);
            } catch (InputCoercionException tooLarge) {
                return context.handleWeirdNumberValue(type, parser.getNumberValue(), "expected a smaller number");
            }
        });
    }

    /** Reads a value of one JSON type: Jackson would read {@code "7"} as a number too, and {@code 1} as the second constant of an enum. */
    private static <T> ValueDeserializer<T> strict(
            Class<T> type,
            Predicate<JsonToken> accepts,
            String expected,
            BiFunction<JsonParser, DeserializationContext, @Nullable Object> read) {
        return new StdDeserializer<>(type) {
            @Override
            @SuppressWarnings("unchecked")
            public @Nullable T deserialize(JsonParser parser, DeserializationContext context) {
                return (T)
                        (accepts.test(parser.currentToken())
                                ? read.apply(parser, context)
                                : context.handleUnexpectedToken(
                                        context.constructType(type),
                                        parser.currentToken(),
                                        parser,
                                        "expected " + expected));
            }
        };
    }

    /** Reads enums by their codes. */
    private static final class CodedEnums extends ValueDeserializerModifier {

        private static final long serialVersionUID = 1L;

        @Override
        public ValueDeserializer<?> modifyEnumDeserializer(
                DeserializationConfig config,
                JavaType type,
                BeanDescription.Supplier description,
                ValueDeserializer<?> standard) {
            return parsed(Object.class, "a string", text -> Arrays.stream(
                            type.getRawClass().getEnumConstants())
                    .filter(constant ->
                            constant instanceof Coded coded && coded.code().equals(text))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(expectedCode(type.getRawClass()))));
        }
    }

    private static String expectedCode(Class<?> type) {
        return "expected one of "
                + Arrays.stream(type.getEnumConstants())
                        .map(constant -> ((Coded) constant).code())
                        .toList();
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

        /** A string, a number or a truth value in place of an object. */
        @Override
        public @Nullable Object handleMissingInstantiator(
                DeserializationContext context,
                Class<?> type,
                @Nullable ValueInstantiator instantiator,
                @Nullable JsonParser parser,
                String message) {
            errors.add(new FieldError(parser == null ? "" : path(parser), "wrong_type", message(type, null)));
            return null;
        }

        /** Of the list, for one of its entries. */
        private static String path(JsonParser parser) {
            return parser.streamReadContext()
                    .pathAsPointer()
                    .toString()
                    .substring(1)
                    .replace('/', '.')
                    .replaceAll("\\.[0-9]+$", "");
        }

        private static String message(Class<?> type, @Nullable String message) {
            if (message != null && message.startsWith("expected ")) {
                return message;
            }
            return type.isRecord()
                    ? "expected an object"
                    : List.class.isAssignableFrom(type) ? "expected a list of strings" : "expected another form";
        }
    }
}
