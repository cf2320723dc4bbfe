package dev.ligeiro.desk.page;

import dev.ligeiro.desk.http.ConsolePath;
import dev.ligeiro.support.problem.FieldError;
import dev.ligeiro.support.problem.Problem;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The form of a capability: its fields with what was entered, and the API's answer about it. It sends what it tells and what it asks for.
 *
 * @param given values of the path's variables and of fields, by their names: the link has filled them in, and nobody changes them
 * @param typed the values of the other fields
 * @param facts names and values of what the change is about
 * @param shown the fingerprint of the values that the form replaces; {@code ""} if it replaces none
 * @param back the page after the change, as the link names it
 * @param problem the refusal; null for none
 */
public record Form(
        Frame frame,
        Capability capability,
        List<FormField> fields,
        Map<String, String> given,
        Map<String, String> typed,
        Map<String, String> facts,
        String shown,
        String back,
        @Nullable Problem problem) {

    Form with(Map<String, String> entered, @Nullable Problem refusal) {
        return new Form(frame, capability, fields, given, entered, facts, shown, back, refusal);
    }

    ObjectNode body() {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        fields.forEach(field -> field.put(body, value(field), frame));
        return body;
    }

    /** The text of a part of this form; {@code otherwise} if it has none. */
    private String own(String part, String otherwise) {
        return frame.textOr("form." + capability.group() + "." + capability.verb() + part, otherwise);
    }

    public String title() {
        return own("", capability.group() + " " + capability.verb());
    }

    public String lead() {
        return own(".lead", capability.summary());
    }

    public String button() {
        return own(".button", title());
    }

    /** The notice after the change. */
    String done() {
        return own(".done", frame.text("form.done"));
    }

    public boolean isDangerous() {
        return capability.isDangerous();
    }

    /** The page that the form leads to without the change. */
    public String cancel() {
        return ConsolePath.of(back);
    }

    public List<FormField> asked() {
        return fields.stream().filter(field -> !given.containsKey(field.name())).toList();
    }

    /** Names and values of what the change is about, and of the given fields. */
    public Map<String, String> told() {
        Map<String, String> told = new LinkedHashMap<>(facts);
        fields.stream().filter(field -> given.containsKey(field.name())).forEach(field -> {
            String value = value(field);
            boolean isCode = field.kind() == FormField.Kind.CHECK || field.kind() == FormField.Kind.CHOICE;
            told.put(label(field), isCode ? option(field, value) : value);
        });
        return told;
    }

    public String id(FormField field) {
        return "field-" + field.name().replace('.', '-');
    }

    public String label(FormField field) {
        return own(
                "." + field.name(),
                frame.textOr("form." + field.name(), field.name().replace('_', ' ')));
    }

    /** The keyboard of a phone. */
    public @Nullable String inputMode(FormField field) {
        return switch (field.kind()) {
            case NUMBER -> "numeric";
            case AMOUNT, DECIMAL -> "decimal";
            default -> null;
        };
    }

    /** {@code ""} for none. */
    public String hint(FormField field) {
        String hint = own("." + field.name() + ".hint", frame.textOr("form." + field.name() + ".hint", ""));
        return field.kind() == FormField.Kind.TIME
                ? (hint + " " + frame.text("form.zone", frame.zone())).strip()
                : hint;
    }

    public String value(FormField field) {
        return given.getOrDefault(field.name(), typed.getOrDefault(field.name(), ""));
    }

    public boolean isChosen(FormField field, String option) {
        return value(field).lines().anyMatch(option::equals);
    }

    public String option(FormField field, String option) {
        return own("." + field.name() + "." + option, frame.option(field.name(), option));
    }

    /** {@code ""} for none. */
    public String error(FormField field) {
        return problem == null
                ? ""
                : problem.errors().stream()
                        .filter(error -> field.has(error.field()))
                        .map(frame::error)
                        .collect(Collectors.joining("; "));
    }

    /** What is wrong elsewhere than in an asked field; {@code ""} for nothing. */
    public String error() {
        if (problem == null) {
            return "";
        }
        List<FieldError> elsewhere = problem.errors().stream()
                .filter(error -> asked().stream().noneMatch(field -> field.has(error.field())))
                .toList();
        return elsewhere.isEmpty()
                ? frame.problem(problem)
                : elsewhere.stream()
                        .map(error -> frame.textOr("form." + error.field(), error.field()) + ": " + frame.error(error))
                        .collect(Collectors.joining("; "));
    }

    /** The elements that describe a field; null for none. */
    public @Nullable String describedBy(FormField field) {
        String ids = (hint(field).isEmpty() ? "" : id(field) + "-hint")
                + (error(field).isEmpty() ? "" : " " + id(field) + "-error");
        return ids.isEmpty() ? null : ids.strip();
    }
}
