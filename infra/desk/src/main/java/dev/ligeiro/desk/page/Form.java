package dev.ligeiro.desk.page;

import dev.ligeiro.support.problem.FieldError;
import dev.ligeiro.support.problem.Problem;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The form of a capability: its fields with what was entered, and the API's answer about it.
 *
 * @param link the parameters of the link that led to the form; {@code fields} names those that it asks for, if those are not all
 * @param values by the names of the fields
 * @param facts names and values of what the change is about
 * @param shown the fingerprint of the values that the form replaces; {@code ""} if it replaces none
 * @param back the page after the change
 * @param problem the refusal; null for none
 */
public record Form(
        Frame frame,
        Capability capability,
        List<FormField> fields,
        Map<String, String> link,
        Map<String, String> values,
        Map<String, String> facts,
        String shown,
        String back,
        @Nullable Problem problem) {

    Form with(Map<String, String> entered, Problem refusal) {
        return new Form(frame, capability, fields, link, entered, facts, shown, back, refusal);
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

    /** Whether the link has filled the field in, and nobody changes it: a choice or an id that it names is told, not asked. */
    boolean isGiven(FormField field) {
        boolean isNamed = field.kind() == FormField.Kind.CHOICE || field.kind() == FormField.Kind.ID;
        return isNamed && link.containsKey(field.name())
                || link.containsKey("fields")
                        && !Arrays.asList(link.get("fields").split(",")).contains(field.name());
    }

    public List<FormField> asked() {
        return fields.stream().filter(field -> !isGiven(field)).toList();
    }

    /** Names and values of what the change is about, and of what the link has filled in. */
    public Map<String, String> told() {
        Map<String, String> told = new LinkedHashMap<>(facts);
        fields.stream()
                .filter(field -> isGiven(field)
                        && field.kind() != FormField.Kind.ID
                        && !value(field).isEmpty())
                .forEach(field -> told.put(label(field), option(field, value(field))));
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
        return values.getOrDefault(field.name(), "");
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
