package dev.ligeiro.desk.page;

import dev.ligeiro.desk.http.FieldError;
import dev.ligeiro.desk.http.Problem;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The form of a capability: its fields with what was entered, and the API's answer about it.
 *
 * @param values by the names of the fields
 * @param given the fields that the link to the form has filled in, and that nobody changes
 * @param subject names and values of what the change is about
 * @param shown the fingerprint of the values that the form replaces; {@code ""} if it replaces none
 * @param back the page after the change
 * @param problem the refusal; null for none
 */
public record Form(
        Frame frame,
        Capability capability,
        List<FormField> fields,
        Map<String, String> values,
        Set<String> given,
        List<Facts.Fact> subject,
        String shown,
        String back,
        @Nullable Problem problem) {

    /** The name of a text about this form. */
    private String own(String part) {
        return "form." + capability.group() + "." + capability.verb() + part;
    }

    public String title() {
        return frame.textOr(own(""), capability.group() + " " + capability.verb());
    }

    public String lead() {
        return frame.textOr(own(".lead"), capability.summary());
    }

    public String button() {
        return frame.textOr(own(".button"), title());
    }

    public boolean isDangerous() {
        return capability.isDangerous();
    }

    public List<FormField> asked() {
        return fields.stream().filter(field -> !given.contains(field.name())).toList();
    }

    /** Names and values that the link has filled in, without those of the subject. */
    public List<Facts.Fact> told() {
        return fields.stream()
                .filter(field -> given.contains(field.name()) && field.kind() != FormField.Kind.ID)
                .filter(field -> !value(field).isEmpty())
                .map(field -> new Facts.Fact(label(field), option(field, value(field))))
                .toList();
    }

    public String id(FormField field) {
        return "field-" + field.name().replace('.', '-');
    }

    public String label(FormField field) {
        return frame.textOr(
                own("." + field.name()),
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
        String hint =
                frame.textOr(own("." + field.name() + ".hint"), frame.textOr("form." + field.name() + ".hint", ""));
        return field.kind() == FormField.Kind.TIME
                ? (hint + " " + frame.text("form.zone", frame.zone())).strip()
                : hint;
    }

    public String value(FormField field) {
        return values.getOrDefault(field.name(), "");
    }

    public boolean isChosen(FormField field, String option) {
        return Arrays.asList(value(field).split("\n")).contains(option);
    }

    public String option(FormField field, String option) {
        return frame.textOr(own("." + field.name() + "." + option), frame.option(field.name(), option));
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
