package dev.ligeiro.desk.console;

import dev.ligeiro.desk.page.Frame;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.validation.BindingResult;

/**
 * What is wrong with a form that was sent: by the page's own constraints, or by the gateway's problem.
 *
 * @param fields by the names of the fields
 * @param problem the code of a problem that no field has; null for none
 */
public record Errors(Map<String, Wrong> fields, @Nullable String problem) {

    static final Errors NONE = new Errors(Map.of(), null);

    /**
     * @param code the name of a text in {@code console.error}
     * @param expected what the gateway expects, in English; empty for nothing more to say
     */
    public record Wrong(String code, String expected) {}

    /** Of a form that broke constraints, whose messages are codes. */
    static Errors of(BindingResult binding) {
        Map<String, Wrong> fields = new LinkedHashMap<>();
        binding.getFieldErrors()
                .forEach(error -> fields.putIfAbsent(
                        error.getField(),
                        new Wrong(
                                error.isBindingFailure() ? "invalid" : String.valueOf(error.getDefaultMessage()), "")));
        return new Errors(fields, null);
    }

    static Errors of(String field, String code) {
        return new Errors(Map.of(field, new Wrong(code, "")), null);
    }

    /** @throws ApiProblem the same one, unless it is {@link ApiProblem#isForThePage} */
    static Errors of(ApiProblem problem) {
        if (!problem.isForThePage()) {
            throw problem;
        }
        Map<String, Wrong> fields = new LinkedHashMap<>();
        problem.errors().forEach(error -> fields.putIfAbsent(error.field(), new Wrong(error.code(), error.message())));
        return new Errors(fields, fields.isEmpty() ? problem.code() : null);
    }

    public boolean isEmpty() {
        return fields.isEmpty() && problem == null;
    }

    public boolean has(String field) {
        return fields.containsKey(field);
    }

    /** The message of a field in the page's language; what the gateway expects follows by {@link #expected}. */
    public String text(Frame frame, String field) {
        Wrong wrong = fields.get(field);
        return wrong == null ? "" : frame.textOr("console.error." + wrong.code, frame.text("console.error.invalid"));
    }

    /** Where the code says less than the gateway's English words. */
    public String expected(String field) {
        Wrong wrong = fields.get(field);
        return wrong == null || wrong.code.equals("required") ? "" : wrong.expected;
    }

    /** The fields that a form does not show. */
    public List<String> others(List<String> shown) {
        return fields.keySet().stream().filter(field -> !shown.contains(field)).toList();
    }
}
