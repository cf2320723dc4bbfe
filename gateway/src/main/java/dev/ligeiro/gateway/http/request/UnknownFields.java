package dev.ligeiro.gateway.http.request;

import dev.ligeiro.gateway.http.problem.FieldError;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
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
        return known.stream()
                .min(Comparator.<String>comparingInt(other -> distance(name, other))
                        .thenComparing(Comparator.naturalOrder()))
                .map(nearest -> "expected a known name; the nearest one is " + nearest)
                .orElse("expected an object without fields");
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
