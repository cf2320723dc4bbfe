package dev.ligeiro.gateway.api.statement;

import static dev.ligeiro.gateway.api.statement.StatementController.decimal;

import de.siegmar.fastcsv.writer.CsvWriter;
import dev.ligeiro.gateway.api.list.SendExport;
import dev.ligeiro.gateway.api.statement.StatementStore.Entry;
import dev.ligeiro.view.Timestamps;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A statement as CSV: the opening balance, the entries, the closing balance. The type in the last line says whether the days are final. The
 * closing balance is that after the last entry, so the lines add up also while entries are added.
 */
final class StatementRows extends SendExport.Rows {

    static final int READ_ROWS = 500;

    private static final int ROW_BYTES = 160;

    private final StatementQuery query;
    private final Mono<Boolean> areFinal;
    private final Mono<Long> opening;
    private final Reads entries;
    private final Timestamps timestamps;
    private boolean isFinal;
    private @Nullable StatementCursor reached;
    private long balance;

    /** Up to {@value #READ_ROWS} entries after a place. */
    interface Reads {

        Mono<List<Entry>> after(@Nullable StatementCursor place);
    }

    StatementRows(
            StatementQuery query, Mono<Boolean> areFinal, Mono<Long> opening, Reads entries, Timestamps timestamps) {
        this.query = query;
        this.areFinal = areFinal;
        this.opening = opening;
        this.entries = entries;
        this.timestamps = timestamps;
    }

    @Override
    public Mono<byte[]> next() {
        if (ended) {
            return Mono.empty();
        }
        Mono<Void> opened = begun
                ? Mono.empty()
                : Mono.zip(areFinal, opening)
                        .doOnNext(found -> {
                            isFinal = found.getT1();
                            balance = found.getT2();
                        })
                        .then();
        return opened.then(Mono.defer(() -> entries.after(reached))).map(this::lines);
    }

    private byte[] lines(List<Entry> found) {
        ended = found.size() < READ_ROWS;
        return SendExport.csv((found.size() + 3) * ROW_BYTES, csv -> {
            if (!begun) {
                csv.writeRecord(
                        "id", "date_created", "transaction_id", "type", "gross", "commission", "net", "balance");
                balanceLine(csv, query.from(), "opening_balance");
            }
            for (Entry entry : found) {
                balance += entry.net();
                reached = new StatementCursor(entry.at(), entry.id(), balance);
                csv.writeRecord(
                        entry.id(),
                        timestamps.format(entry.at()),
                        entry.transactionId().toString(),
                        entry.type(),
                        decimal(entry.gross()),
                        decimal(entry.commission()),
                        decimal(entry.net()),
                        decimal(balance));
            }
            begun = true;
            rows += found.size();
            if (ended) {
                balanceLine(
                        csv, query.before().minusSeconds(1), isFinal ? "closing_balance" : "closing_balance_not_final");
            }
        });
    }

    private void balanceLine(CsvWriter csv, Instant at, String type) {
        csv.writeRecord("", timestamps.format(at), "", type, "", "", "", decimal(balance));
    }
}
