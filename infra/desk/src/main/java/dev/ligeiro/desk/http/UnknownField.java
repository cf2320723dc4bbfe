package dev.ligeiro.desk.http;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** The error of a member of a JSON object that its record does not have, with the name that was probably meant. */
final class UnknownField {

    private static final int NAME_MAX = 50;

    private UnknownField() {}

    static FieldError error(String path, String given, @Nullable Collection<Object> known) {
        String name = given.length() > NAME_MAX ? given.substring(0, NAME_MAX) : given;
        String message = known == null
                ? "expected an object without fields"
                : known.stream()
                        .map(Object::toString)
                        .min(Comparator.<String>comparingInt(other -> distance(name, other))
                                .thenComparing(Comparator.naturalOrder()))
                        .map(nearest -> "expected a known name; the nearest one is " + nearest)
                        .orElse("expected an object without fields");
        return new FieldError(path.isEmpty() ? name : path, "unknown_field", message);
    }

    /** The number of edits from one name to the other, also when their words stand in another order. */
    private static int distance(String name, String other) {
        return Math.min(edits(name, other), 1 + edits(sorted(name), sorted(other)));
    }

    private static String sorted(String name) {
        String[] words = name.split("_");
        Arrays.sort(words);
        return String.join("_", words);
    }

    /** The Levenshtein distance. */
    private static int edits(String from, String to) {
        int[] row = new int[to.length() + 1];
        Arrays.setAll(row, i -> i);
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[to.length()];
    }
}
