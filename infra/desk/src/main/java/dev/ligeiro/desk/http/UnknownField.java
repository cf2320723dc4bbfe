package dev.ligeiro.desk.http;

import dev.ligeiro.view.NearestName;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** The error of a member of a JSON object that its record does not have, with the name that was probably meant. */
final class UnknownField {

    private static final int NAME_MAX = 50;

    private UnknownField() {}

    static FieldError error(String path, String given, @Nullable Collection<Object> known) {
        String name = given.length() > NAME_MAX ? given.substring(0, NAME_MAX) : given;
        String message = known == null
                ? "expected an object without fields"
                : NearestName.of(name, known.stream().map(Object::toString).toList())
                        .map(nearest -> "expected a known name; the nearest one is " + nearest)
                        .orElse("expected an object without fields");
        return new FieldError(path.isEmpty() ? name : path, "unknown_field", message);
    }
}
