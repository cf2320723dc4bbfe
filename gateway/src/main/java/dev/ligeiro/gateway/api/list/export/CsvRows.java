package dev.ligeiro.gateway.api.list.export;

import reactor.core.publisher.Mono;

/** The rows of one export, which are read when the connection takes them. Not for use by two threads at once. */
public interface CsvRows {

    /**
     * The lines of the next read; the first ones have the names of the columns. Empty if a later read has found no rows. After a failure it
     * can be asked again.
     */
    Mono<byte[]> next();

    boolean hasEnded();

    long rows();

    /** The number of rows so far that cannot be decoded, and are left out. */
    default long leftOut() {
        return 0;
    }
}
