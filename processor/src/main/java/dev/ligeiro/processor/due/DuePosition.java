package dev.ligeiro.processor.due;

import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.Comparator;
import java.util.UUID;

/** A position in the index of due work, which is in the order of due time and id: before the first row that is not less than it. */
record DuePosition(Instant due, UUID id) implements Comparable<DuePosition> {

    /** Before all rows. */
    static final DuePosition FIRST = before(Instant.EPOCH);

    private static final Comparator<DuePosition> ORDER =
            Comparator.comparing(DuePosition::due).thenComparing(position -> new TransactionId(position.id));

    /** Before the rows that are due at this time or later. */
    static DuePosition before(Instant due) {
        return new DuePosition(due, new UUID(0, 0));
    }

    /** Behind the rows that are due at this time, which has millisecond precision, or earlier. */
    static DuePosition behind(Instant due) {
        return before(due.plusMillis(1));
    }

    /** Directly behind this row: the next larger id. */
    static DuePosition behind(DueRow row) {
        UUID id = row.id().value();
        long low = id.getLeastSignificantBits() + 1;
        return new DuePosition(row.due(), new UUID(id.getMostSignificantBits() + (low == 0 ? 1 : 0), low));
    }

    @Override
    public int compareTo(DuePosition other) {
        return ORDER.compare(this, other);
    }
}
