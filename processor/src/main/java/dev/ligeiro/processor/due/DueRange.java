package dev.ligeiro.processor.due;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A part of the index of due work, from {@code from} inclusive to {@code before} exclusive. */
record DueRange(DuePosition from, DuePosition before) {

    boolean isEmpty() {
        return from.compareTo(before) >= 0;
    }

    /** The part of this range in [{@code lowest}, {@code limit}); it may be empty. */
    DueRange within(DuePosition lowest, DuePosition limit) {
        return new DueRange(from.compareTo(lowest) > 0 ? from : lowest, before.compareTo(limit) < 0 ? before : limit);
    }

    /** The same rows in ascending ranges without overlaps. */
    static List<DueRange> merged(List<DueRange> ranges) {
        List<DueRange> merged = new ArrayList<>();
        ranges.stream()
                .filter(range -> !range.isEmpty())
                .sorted(Comparator.comparing(DueRange::from))
                .forEach(range -> {
                    int last = merged.size() - 1;
                    if (last < 0 || merged.get(last).before.compareTo(range.from) < 0) {
                        merged.add(range);
                    } else if (merged.get(last).before.compareTo(range.before) < 0) {
                        merged.set(last, new DueRange(merged.get(last).from, range.before));
                    }
                });
        return merged;
    }
}
