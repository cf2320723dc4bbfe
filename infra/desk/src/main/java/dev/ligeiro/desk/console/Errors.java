package dev.ligeiro.desk.console;

import dev.ligeiro.desk.page.Frame;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.validation.BindingResult;

/**
 * What is wrong with a form that was sent. A page that has it as {@code errors} is answered with its status.
 *
 * @param problem the code of a problem that no field has; null for none
 */
public record Errors(List<Field> fields, @Nullable String problem) {

    static final Errors NONE = new Errors(List.of(), null);

    /**
     * @param code the name of a text in {@code console.error}; unknown ones are shown as {@code invalid}
     * @param message what the gateway expects, in English; empty for nothing more to say
     */
    public record Field(String field, String code, String message) {

        /** In the page's language; what the gateway expects follows by {@link #expected}. */
        public String text(Frame frame) {
            return frame.textOr("console.error." + code, frame.text("console.error.invalid"));
        }

        /** Where the code says less than the gateway's English words. */
        public String expected() {
            return code.equals("required") ? "" : message;
        }
    }

    static Errors of(String field, String code) {
        return new Errors(List.of(new Field(field, code, "")), null);
    }

    /**
     * Does what a page is for, and returns what the gateway has refused.
     *
     * @throws ApiProblem unless it {@link ApiProblem#isForThePage}
     */
    static Errors of(Runnable call) {
        try {
            call.run();
            return NONE;
        } catch (ApiProblem problem) {
            if (!problem.isForThePage()) {
                throw problem;
            }
            return new Errors(problem.errors(), problem.errors().isEmpty() ? problem.code() : null);
        }
    }

    /** The same for a form, which is not sent if it breaks constraints. Their messages are codes. */
    static Errors of(BindingResult form, Runnable call) {
        List<Field> broken = form.getFieldErrors().stream()
                .map(error -> new Field(error.getField(), String.valueOf(error.getDefaultMessage()), ""))
                .toList();
        return broken.isEmpty() ? of(call) : new Errors(broken, null);
    }

    public boolean isEmpty() {
        return fields.isEmpty() && problem == null;
    }

    int status() {
        return problem == null ? 422 : 409;
    }

    /** Null if the field is right. */
    public @Nullable Field of(String field) {
        return fields.stream()
                .filter(one -> one.field.equals(field))
                .findFirst()
                .orElse(null);
    }

    /** Those of fields that a form does not show. */
    public List<Field> others(List<String> shown) {
        return fields.stream().filter(one -> !shown.contains(one.field)).toList();
    }
}
