package dev.ligeiro.infra.loadtest;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The faults of a run: a count and the first example of each kind. Any thread may add. */
final class RunFaults {

    private static final int KINDS_MAX = 50;

    private final Map<String, Long> counts = new LinkedHashMap<>();
    private final Map<String, String> examples = new LinkedHashMap<>();
    private volatile long count;

    /**
     * @param kind the same text each time
     * @param example the details of this case
     */
    synchronized void add(String kind, String example) {
        count++;
        if (counts.containsKey(kind) || counts.size() < KINDS_MAX) {
            counts.merge(kind, 1L, Long::sum);
            examples.putIfAbsent(kind, example);
        }
    }

    long count() {
        return count;
    }

    /** A line for each kind. */
    synchronized List<String> lines() {
        return counts.entrySet().stream()
                .map(kind ->
                        "%d × %s, such as: %s".formatted(kind.getValue(), kind.getKey(), examples.get(kind.getKey())))
                .toList();
    }
}
