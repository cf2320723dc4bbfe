package dev.ligeiro.gateway.api.list.export;

import dev.ligeiro.gateway.api.list.match.Found;
import dev.ligeiro.transaction.TransactionId;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The rows of one export, the newest first. Each read continues below the id that the last one has reached, so that nothing is held in MongoDB between
 * two reads, and a transaction that is created meanwhile moves no other. Not for use by two threads at once.
 */
public final class Export extends CsvRows {

    /** Ordinary rows: about 100 kB of CSV. */
    private static final int READ_ROWS = 300;

    private static final int READ_ROWS_MIN = 4;

    private final Reads reads;
    private final CsvLines lines;
    private @Nullable TransactionId reached;
    /** Large documents end a read early; the next one does not ask for many more than it gets. */
    private int limit = READ_ROWS;

    public Export(Reads reads, CsvLines lines) {
        this.reads = reads;
        this.lines = lines;
    }

    @Override
    public Mono<byte[]> next() {
        return ended ? Mono.empty() : reads.below(reached, limit).mapNotNull(this::lines);
    }

    private byte @Nullable [] lines(Found found) {
        reached = found.reached();
        ended = reached == null;
        leftOut += found.leftOut();
        limit = Math.min(READ_ROWS, Math.max(READ_ROWS_MIN, 2 * found.rows().size()));
        if (found.rows().isEmpty() && begun) {
            return null;
        }
        byte[] csv = lines.of(found.rows(), !begun);
        begun = true;
        rows += found.rows().size();
        return csv;
    }

    public interface Reads {

        /** @param id rows with lower ids; null: from the newest one on */
        Mono<Found> below(@Nullable TransactionId id, int limit);
    }
}
