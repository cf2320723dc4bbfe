package dev.ligeiro.gateway.list.export;

import dev.ligeiro.gateway.list.ListQuery;
import dev.ligeiro.gateway.list.ReadBelow;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The rows of one export, the newest first. Each read continues below the last row by its id, so that nothing is held in MongoDB between
 * two reads, and a transaction that is created meanwhile moves no other. Not for use by two threads at once.
 */
final class Export {

    /** About 100 kB of CSV and 1 MB of objects. */
    private static final int READ_ROWS = 300;

    private final Tenant tenant;
    private final ListQuery query;
    private final ReadBelow transactions;
    private final CsvLines lines;
    private @Nullable TransactionId last;
    private boolean begun;
    private boolean ended;
    private long rows;

    Export(Tenant tenant, ListQuery query, ReadBelow transactions, CsvLines lines) {
        this.tenant = tenant;
        this.query = query;
        this.transactions = transactions;
        this.lines = lines;
    }

    /** The next lines; the first ones have the names of the columns. Empty at the end. After a failure it can be asked again. */
    Mono<byte[]> next() {
        return ended
                ? Mono.empty()
                : transactions.read(tenant, query, last, READ_ROWS).mapNotNull(this::lines);
    }

    private byte @Nullable [] lines(List<Transaction> found) {
        ended = found.size() < READ_ROWS;
        if (found.isEmpty() && begun) {
            return null;
        }
        byte[] csv = lines.of(found, !begun);
        begun = true;
        rows += found.size();
        last = found.isEmpty() ? last : found.get(found.size() - 1).id();
        return csv;
    }

    boolean hasEnded() {
        return ended;
    }

    long rows() {
        return rows;
    }
}
