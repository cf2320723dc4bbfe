package dev.ligeiro.gateway.operator.console;

import dev.ligeiro.gateway.operator.console.Block.Fact;
import java.util.List;
import java.util.Map;

/**
 * A form with what was entered, and what the API said about it.
 *
 * @param about what it is about; {@code ""} for nothing in particular
 * @param facts what the change is about, such as the cashout that is approved
 * @param shown the fingerprint of the values that the form replaces; {@code ""} if it replaces none
 * @param back the page that a cancelled form returns to
 */
public record FormView(
        String title,
        String lead,
        String about,
        List<Fact> facts,
        String button,
        boolean isDangerous,
        String back,
        String cancel,
        String error,
        String shown,
        List<Input> inputs) {

    /** @param options texts by value */
    public record Input(
            FormField field, String label, String hint, String value, String error, Map<String, String> options) {

        boolean isShown() {
            return field.kind() != FormField.Kind.HIDDEN;
        }

        boolean has(String fieldError) {
            return field.has(fieldError);
        }

        public String id() {
            return "field-" + field.name().replace('.', '-');
        }

        /** The elements that describe it; {@code ""} for none. */
        public String describedBy() {
            return (hint.isEmpty() ? "" : id() + "-hint")
                    + (error.isEmpty() ? "" : (hint.isEmpty() ? "" : " ") + id() + "-error");
        }
    }
}
