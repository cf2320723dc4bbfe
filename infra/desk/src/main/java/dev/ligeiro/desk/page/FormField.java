package dev.ligeiro.desk.page;

import dev.ligeiro.desk.http.DecimalText;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Coded;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.web.bind.annotation.RequestParam;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A field of a form, and of the body that the form becomes.
 *
 * @param name of the body's member; {@code cashin.percent} is a member of an object
 * @param options the codes that can be chosen
 * @param isOfBody whether it is a member of the body; else it is a parameter of the query
 */
public record FormField(String name, Kind kind, boolean isRequired, List<String> options, boolean isOfBody) {

    /** Longer texts have several lines. */
    private static final int LINE_LENGTH_MAX = 200;

    private static final int DIGITS_MAX = 15;

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
        for (MethodParameter parameter : capability.parameters()) {
            RequestParam query = parameter.getParameterAnnotation(RequestParam.class);
            if (query != null) {
                fields.add(of(
                        Capability.name(parameter),
                        parameter.getParameter(),
                        parameter.getGenericParameterType(),
                        query.required() && !parameter.isOptional(),
                        false));
            }
        }
        Class<?> body = capability.body();
        if (body != null) {
            addAll(body, "", true, fields);
        }
        return fields;
    }

    private static void addAll(Class<?> type, String prefix, boolean isNeeded, List<FormField> fields) {
        for (RecordComponent component : type.getRecordComponents()) {
            String name = prefix + Capability.snake(component.getName());
            AnnotatedElement declared = component.getAccessor();
            boolean isRequired = isNeeded
                    && Stream.of(NotNull.class, NotBlank.class, NotEmpty.class).anyMatch(declared::isAnnotationPresent);
            if (component.getType().isRecord() && component.getType() != Amount.class) {
                addAll(component.getType(), name + ".", isRequired, fields);
            } else {
                fields.add(of(name, declared, component.getGenericType(), isRequired, true));
            }
        }
    }

    private static FormField of(
            String name, AnnotatedElement declared, Type generic, boolean isRequired, boolean isOfBody) {
        boolean isList = generic instanceof ParameterizedType list
                && list.getRawType() instanceof Class<?> raw
                && Collection.class.isAssignableFrom(raw);
        Class<?> type = (Class<?>) (isList ? ((ParameterizedType) generic).getActualTypeArguments()[0] : generic);
        List<String> options = type.isEnum()
                ? Arrays.stream(type.getEnumConstants())
                        .map(constant -> ((Coded) constant).code())
                        .toList()
                : List.of();
        Kind kind = isList ? options.isEmpty() ? Kind.LINES : Kind.CHOICES : kind(name, declared, type);
        return new FormField(name, kind, isRequired, options, isOfBody);
    }

    private static Kind kind(String name, AnnotatedElement declared, Class<?> type) {
        if (type.isEnum()) {
            return Kind.CHOICE;
        }
        if (type == Boolean.class || type == boolean.class) {
            return Kind.CHECK;
        }
        if (type == Integer.class || type == Long.class || type == int.class || type == long.class) {
            return Kind.NUMBER;
        }
        if (type == Instant.class) {
            return Kind.TIME;
        }
        if (type == Amount.class) {
            return Kind.AMOUNT;
        }
        if (AnnotatedElementUtils.hasAnnotation(declared, DecimalText.class)) {
            return Kind.DECIMAL;
        }
        if (type != String.class) {
            return Kind.ID;
        }
        Size size = declared.getAnnotation(Size.class);
        return name.equals("reason") || size != null && size.max() > LINE_LENGTH_MAX && size.max() < Integer.MAX_VALUE
                ? Kind.LONG_TEXT
                : Kind.TEXT;
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
        String member = name.substring(dot + 1);
        if (kind == Kind.CHECK) {
            object.put(member, !text.isEmpty());
        } else if (kind == Kind.LINES || kind == Kind.CHOICES) {
            object.set(
                    member,
                    JsonNodeFactory.instance
                            .arrayNode()
                            .addAll(text.lines()
                                    .map(String::strip)
                                    .filter(line -> !line.isEmpty())
                                    .<JsonNode>map(JsonNodeFactory.instance::stringNode)
                                    .toList()));
        } else if (kind == Kind.NUMBER && text.matches("[0-9]{1," + DIGITS_MAX + "}")) {
            object.put(member, Long.parseLong(text));
        } else {
            object.put(member, sent(text, frame));
        }
    }

    /** The text as the API takes it. */
    String sent(String text, Frame frame) {
        return switch (kind) {
            case AMOUNT -> Language.amountOf(text);
            case DECIMAL -> text.replace(',', '.');
            case TIME -> instant(text, frame);
            default -> text;
        };
    }

    private static String instant(String text, Frame frame) {
        try {
            return LocalDateTime.parse(text).atZone(frame.zone()).toInstant().toString();
        } catch (DateTimeException other) {
            return text;
        }
    }

    /** A value of the API as the form shows it. */
    String shown(String value, Frame frame) {
        if (kind == Kind.AMOUNT || kind == Kind.DECIMAL) {
            return frame.language().decimalText(value);
        }
        try {
            return kind == Kind.TIME
                    ? DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(
                            Instant.parse(value).truncatedTo(ChronoUnit.SECONDS).atZone(frame.zone()))
                    : value;
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
        return value.isNull() || value.isMissingNode() || kind == Kind.CHECK && !value.asBoolean(false)
                ? ""
                : value.asString("");
    }
}
