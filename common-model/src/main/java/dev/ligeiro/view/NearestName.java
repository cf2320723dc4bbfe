package dev.ligeiro.view;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the name that was probably meant by a misspelt one. */
public final class NearestName {

    private NearestName() {}

    /** The known name with the fewest edits; of several, the first in their order. Empty if none is known. */
    public static Optional<String> of(String name, Collection<String> known) {
        return known.stream()
                .min(Comparator.<String>comparingInt(other -> distance(name, other))
                        .thenComparing(Comparator.naturalOrder()));
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
