package dev.ligeiro.gateway.list.export;

import dev.ligeiro.gateway.list.match.Found;
import dev.ligeiro.transaction.TransactionId;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The rows of one export, the newest first. Each read continues below the id that the last one has reached, so that nothing is held in MongoDB between
 * two reads, and a transaction that is created meanwhile moves no other. Not for use by two threads at once.
 */
final class Export {

    /** About 100 kB of CSV and 1 MB of objects. */
    private static final int READ_ROWS = 300;

    private final Reads reads;
    private final CsvLines lines;
    private @Nullable TransactionId reached;
    private boolean begun;
    private boolean ended;
    private long rows;
    private long leftOut;

    Export(Reads reads, CsvLines lines) {
        this.reads = reads;
        this.lines = lines;
    }

    /**
     * The lines of the next read; the first ones have the names of the columns. Empty if a later read has found no rows. After a failure it
     * can be asked again.
     */
    Mono<byte[]> next() {
        return ended ? Mono.empty() : reads.below(reached, READ_ROWS).mapNotNull(this::lines);
    }

    private byte @Nullable [] lines(Found found) {
        reached = found.reached();
        ended = reached == null;
        leftOut += found.leftOut();
        if (found.rows().isEmpty() && begun) {
            return null;
        }
        byte[] csv = lines.of(found.rows(), !begun);
        begun = true;
        rows += found.rows().size();
        return csv;
    }

    boolean hasEnded() {
        return ended;
    }

    long rows() {
        return rows;
    }

    /** The number of transactions so far that cannot be decoded, and have no row. */
    long leftOut() {
        return leftOut;
    }

    interface Reads {

        /** @param id rows with lower ids; null: from the newest one on */
        Mono<Found> below(@Nullable TransactionId id, int limit);
    }
}
