package dev.ligeiro.desk.page;

import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Coded;
import dev.ligeiro.view.Language;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A field of a form, and of the body that the form becomes.
 *
 * @param name of the body's member; {@code cashin.percent} is a member of an object
 * @param options the codes that can be chosen
 */
public record FormField(String name, Kind kind, boolean isRequired, List<String> options) {

    /** Longer texts have several lines. */
    private static final int LINE_LENGTH_MAX = 200;

    private static final Map<Class<?>, Kind> KINDS = Map.of(
            Boolean.class, Kind.CHECK,
            Integer.class, Kind.NUMBER,
            Long.class, Kind.NUMBER,
            Instant.class, Kind.TIME,
            Amount.class, Kind.AMOUNT);

    /** What a browser asks for. */
    public enum Kind {
        TEXT,
        LONG_TEXT,
        /** A reference to something; the link to the form fills it in. */
        ID,
        AMOUNT,
        DECIMAL,
        NUMBER,
        CHECK,
        CHOICE,
        CHOICES,
        LINES,
        TIME
    }

    static List<FormField> of(Capability capability) {
        List<FormField> fields = new ArrayList<>();
        Class<?> body = capability.body();
        if (body != null) {
            addAll(body, "", true, fields);
        }
        return fields;
    }

    private static void addAll(Class<?> type, String prefix, boolean isNeeded, List<FormField> fields) {
        for (RecordComponent component : type.getRecordComponents()) {
            String name = prefix + Capability.snake(component.getName());
            boolean isRequired = isNeeded
                    && Stream.of(NotNull.class, NotBlank.class, NotEmpty.class)
                            .anyMatch(component.getAccessor()::isAnnotationPresent);
            if (component.getType().isRecord() && component.getType() != Amount.class) {
                addAll(component.getType(), name + ".", isRequired, fields);
            } else {
                fields.add(of(name, component.getAccessor(), isRequired));
            }
        }
    }

    private static FormField of(String name, Method declared, boolean isRequired) {
        ResolvableType given = ResolvableType.forMethodReturnType(declared);
        boolean isList = Collection.class.isAssignableFrom(given.toClass());
        Class<?> type = ClassUtils.resolvePrimitiveIfNecessary((isList ? given.getGeneric(0) : given).toClass());
        if (type.isEnum()) {
            List<String> codes = Stream.of(type.getEnumConstants())
                    .map(constant -> ((Coded) constant).code())
                    .toList();
            return new FormField(name, isList ? Kind.CHOICES : Kind.CHOICE, isRequired, codes);
        }
        Kind kind = isList
                ? Kind.LINES
                : type == String.class ? kindOfText(name, declared) : KINDS.getOrDefault(type, Kind.ID);
        return new FormField(name, kind, isRequired, List.of());
    }

    private static Kind kindOfText(String name, Method declared) {
        if (AnnotatedElementUtils.hasAnnotation(declared, DecimalMax.class)) {
            return Kind.DECIMAL;
        }
        Size size = declared.getAnnotation(Size.class);
        return name.equals("reason") || size != null && size.max() > LINE_LENGTH_MAX && size.max() < Integer.MAX_VALUE
                ? Kind.LONG_TEXT
                : Kind.TEXT;
    }

    /** Whether a link may fill it in. A person types a sum. */
    boolean canBeGiven() {
        return kind != Kind.AMOUNT;
    }

    /** Whether an error is in it, or in an entry of its list. */
    boolean has(String error) {
        return error.equals(name) || error.startsWith(name + "[") || kind == Kind.LINES && error.startsWith(name + ".");
    }

    /** Adds the entered text to the body. The member of an empty field is left out. */
    void put(ObjectNode body, String entered, Frame frame) {
        String text = entered.strip();
        if (text.isEmpty() && kind != Kind.CHECK) {
            return;
        }
        int dot = name.lastIndexOf('.');
        ObjectNode object =
                dot < 0 ? body : body.withObject("/" + name.substring(0, dot).replace('.', '/'));
        object.set(name.substring(dot + 1), json(text, frame));
    }

    private JsonNode json(String text, Frame frame) {
        JsonNodeFactory json = JsonNodeFactory.instance;
        return switch (kind) {
            case CHECK ->
                text.isEmpty() || text.equals("true") || text.equals("false")
                        ? json.booleanNode(text.equals("true"))
                        : json.stringNode(text);
            case LINES, CHOICES ->
                json.arrayNode()
                        .addAll(text.lines()
                                .filter(line -> !line.isBlank())
                                .<JsonNode>map(line -> json.stringNode(line.strip()))
                                .toList());
            case NUMBER -> text.matches("[0-9]{1,15}") ? json.numberNode(Long.parseLong(text)) : json.stringNode(text);
            default -> json.stringNode(sent(text, frame));
        };
    }

    /** The text as the API takes it. */
    private String sent(String text, Frame frame) {
        try {
            return switch (kind) {
                case AMOUNT -> Language.amountOf(text);
                case DECIMAL -> text.replace(',', '.');
                case TIME ->
                    LocalDateTime.parse(text).atZone(frame.zone()).toInstant().toString();
                default -> text;
            };
        } catch (DateTimeException other) {
            return text;
        }
    }

    /** A value of the API as the form shows it. */
    String shown(String value, Frame frame) {
        try {
            return switch (kind) {
                case AMOUNT, DECIMAL -> frame.language().decimalText(value);
                case TIME ->
                    DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(
                            Instant.parse(value).truncatedTo(ChronoUnit.SECONDS).atZone(frame.zone()));
                default -> value;
            };
        } catch (DateTimeException local) {
            return value;
        }
    }

    /** The value in an answer of the API; {@code ""} for none. */
    String read(JsonNode answer) {
        JsonNode value = answer.at("/" + name.replace('.', '/'));
        if (value.isArray()) {
            return String.join(
                    "\n", value.valueStream().map(line -> line.asString("")).toList());
        }
        boolean isUnset = value.isNull() || kind == Kind.CHECK && !value.asBoolean(false);
        return isUnset ? "" : value.asString("");
    }
}
