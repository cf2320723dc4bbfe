package dev.ligeiro.gateway.http.request;

import dev.ligeiro.support.problem.FieldError;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.view.TrimmedText;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;

/**
 * Reads and checks the query parameters of a request. It collects the errors, unknown and repeated parameters included, so that one
 * response names them all: a failed read returns null, and {@link #orThrow} throws afterwards.
 */
public final class QueryParameters {

    private static final int LENGTH_MAX = 255;
    private static final Pattern DIGITS = Pattern.compile("[0-9]{1,9}");
    /** Stands for bytes that are not UTF-8, such as {@code %FF}. */
    private static final char REPLACEMENT = '\uFFFD';

    private final MultiValueMap<String, String> parameters;
    private final List<FieldError> errors = new ArrayList<>();

    /** @param known the names of all parameters that the path has */
    public QueryParameters(MultiValueMap<String, String> parameters, Set<String> known) {
        this.parameters = parameters;
        parameters.forEach((name, values) -> {
            if (!known.contains(name)) {
                errors.add(new FieldError(
                        name,
                        "unknown",
                        "expected one of " + known.stream().sorted().toList()));
            } else if (values.size() > 1) {
                errors.add(new FieldError(name, "repeated", "expected at most once"));
            }
        });
    }

    /**
     * The parsed value; null when the parameter is absent, empty or invalid. {@code parse} throws {@link IllegalArgumentException} with
     * the expected form as its message.
     */
    public <T> @Nullable T parsed(String name, Function<String, T> parse) {
        String given = trimmed(name);
        if (given.isEmpty()) {
            return null;
        }
        try {
            if (given.length() > LENGTH_MAX) {
                throw new IllegalArgumentException("expected at most " + LENGTH_MAX + " characters");
            }
            if (given.indexOf(REPLACEMENT) >= 0) {
                throw new IllegalArgumentException("expected percent-encoded UTF-8");
            }
            return parse.apply(given);
        } catch (IllegalArgumentException malformed) {
            reject(name, String.valueOf(malformed.getMessage()));
            return null;
        }
    }

    /** As {@link #parsed}, but an absent or empty parameter is an error. */
    public <T> @Nullable T requiredParsed(String name, Function<String, T> parse) {
        if (trimmed(name).isEmpty()) {
            errors.add(FieldError.required(name));
            return null;
        }
        return parsed(name, parse);
    }

    /** A whole number from {@code min} to {@code max}, in ASCII digits; {@code otherwise} when absent, empty or invalid. */
    public int number(String name, int min, int max, int otherwise) {
        Integer number = parsed(name, text -> {
            int parsed = DIGITS.matcher(text).matches() ? Integer.parseInt(text) : min - 1;
            if (parsed < min || parsed > max) {
                throw new IllegalArgumentException("expected a number from " + min + " to " + max);
            }
            return parsed;
        });
        return number == null ? otherwise : number;
    }

    private String trimmed(String name) {
        String given = parameters.getFirst(name);
        return given == null ? "" : TrimmedText.of(given);
    }

    public void reject(String name, String message) {
        errors.add(FieldError.invalid(name, message));
    }

    /** @throws Problem 422 with all errors, if there are any */
    public void orThrow() {
        if (!errors.isEmpty()) {
            throw Problem.invalid(errors);
        }
    }
}
