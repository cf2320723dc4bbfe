package dev.ligeiro.gateway.http.request;

import dev.ligeiro.gateway.http.problem.FieldError;
import dev.ligeiro.view.NearestName;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** The errors of the members of a JSON object that its reader does not know, each with the name that was probably meant. */
final class UnknownFields {

    private static final int ERRORS_MAX = 20;
    private static final int NAME_MAX = 50;

    private UnknownFields() {}

    /** One for each of the first 20 unknown names. */
    static List<FieldError> errors(Collection<String> names, Set<String> known) {
        return names.stream()
                .filter(name -> !known.contains(name))
                .limit(ERRORS_MAX)
                .map(name -> name.length() > NAME_MAX ? name.substring(0, NAME_MAX) : name)
                .map(name -> new FieldError(name, "unknown_field", message(name, known)))
                .toList();
    }

    private static String message(String name, Set<String> known) {
        return NearestName.of(name, known)
                .map(nearest -> "expected a known name; the nearest one is " + nearest)
                .orElse("expected an object without fields");
    }
}
