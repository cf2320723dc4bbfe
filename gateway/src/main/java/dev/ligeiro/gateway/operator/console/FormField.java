package dev.ligeiro.gateway.operator.console;

import java.util.Arrays;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A field of a form, and of the body that the form becomes.
 *
 * @param name of the body's member; {@code cashin.percent} is a member of an object
 * @param options what can be chosen, the texts {@code option.<name>.<value>}; empty unless the kind is {@link Kind#CHOICE}
 */
public record FormField(String name, Kind kind, boolean isRequired, List<String> options) {

    private static final int DIGITS_MAX = 15;

    static FormField text(String name) {
        return new FormField(name, Kind.TEXT, false, List.of());
    }

    static FormField number(String name) {
        return new FormField(name, Kind.NUMBER, false, List.of());
    }

    static FormField reason() {
        return new FormField("reason", Kind.REASON, true, List.of());
    }

    static FormField check(String name) {
        return new FormField(name, Kind.CHECK, false, List.of());
    }

    /** One value a line. */
    static FormField lines(String name) {
        return new FormField(name, Kind.LINES, false, List.of());
    }

    static FormField hidden(String name) {
        return new FormField(name, Kind.HIDDEN, false, List.of());
    }

    static FormField choice(String name, String... options) {
        return new FormField(name, Kind.CHOICE, false, List.of(options));
    }

    FormField required() {
        return new FormField(name, kind, true, options);
    }

    /** Whether the API means it, or an entry of its list, by the name of a field error. */
    boolean has(String error) {
        return error.equals(name) || error.startsWith(name + "[");
    }

    /** Adds the entered value to the body of the request. The member of an empty field is left out. */
    void put(ObjectNode body, String entered) {
        int dot = name.indexOf('.');
        ObjectNode object = dot < 0 ? body : body.withObject("/" + name.substring(0, dot));
        String member = name.substring(dot + 1);
        String text = entered.strip();
        if (kind == Kind.CHECK) {
            object.put(member, !text.isEmpty());
        } else if (text.isEmpty()) {
            return;
        } else if (kind == Kind.LINES) {
            object.set(member, list(text));
        } else if (kind == Kind.NUMBER && text.matches("[0-9]{1," + DIGITS_MAX + "}")) {
            object.put(member, Long.parseLong(text));
        } else {
            object.put(member, text);
        }
    }

    private static JsonNode list(String lines) {
        return JsonNodeFactory.instance
                .arrayNode()
                .addAll(Arrays.stream(lines.split("\\R"))
                        .map(String::strip)
                        .filter(line -> !line.isEmpty())
                        .<JsonNode>map(JsonNodeFactory.instance::stringNode)
                        .toList());
    }

    /** The value in an answer of the API, as the form shows it; {@code ""} for none. */
    String shown(JsonNode answer) {
        JsonNode value = answer.at("/" + name.replace('.', '/'));
        if (kind == Kind.LINES) {
            return String.join(
                    "\n", value.valueStream().map(line -> line.asString("")).toList());
        }
        if (kind == Kind.CHECK) {
            return value.asBoolean(false) ? "true" : "";
        }
        return OperatorText.isGiven(value) ? value.asString() : "";
    }

    /** What a browser asks for. */
    public enum Kind {
        TEXT,
        NUMBER,
        REASON,
        LINES,
        CHECK,
        CHOICE,
        HIDDEN
    }
}
