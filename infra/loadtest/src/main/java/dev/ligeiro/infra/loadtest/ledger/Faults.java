package dev.ligeiro.infra.loadtest.ledger;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All that went wrong: counted by kind, with the first case of each told in full. Any thread may add. */
public final class Faults {

    private static final int KINDS_MAX = 50;

    private final Map<String, Kind> kinds = new LinkedHashMap<>();
    private volatile long count;

    /**
     * @param kind what happened, the same words each time
     * @param example this case
     */
    public synchronized void add(String kind, String example) {
        count++;
        Kind known = kinds.get(kind);
        if (known != null) {
            known.count++;
        } else if (kinds.size() < KINDS_MAX) {
            kinds.put(kind, new Kind(example));
        }
    }

    public long count() {
        return count;
    }

    /** A line for each kind. */
    public synchronized List<String> lines() {
        List<String> lines = new ArrayList<>();
        kinds.forEach((kind, seen) -> lines.add("%d × %s, such as: %s".formatted(seen.count, kind, seen.example)));
        return lines;
    }

    private static final class Kind {

        private final String example;
        private long count = 1;

        private Kind(String example) {
            this.example = example;
        }
    }
}
