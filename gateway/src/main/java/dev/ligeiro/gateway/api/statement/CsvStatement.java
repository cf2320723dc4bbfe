package dev.ligeiro.gateway.api.statement;

import static dev.ligeiro.transaction.Amount.decimal;

import de.siegmar.fastcsv.writer.CsvWriter;
import dev.ligeiro.gateway.api.list.SendExport;
import dev.ligeiro.view.Timestamps;
import java.time.Instant;
import java.util.List;

/**
 * A statement as CSV: the opening balance, the entries, the closing balance. The type in the last line says whether the days are final. The
 * closing balance is that after the last entry, so the lines add up also while entries are added.
 */
final class CsvStatement implements StatementFile {

    static final List<String> COLUMNS =
            List.of("id", "date_created", "transaction_id", "type", "gross", "commission", "net", "balance");

    private static final int ROW_BYTES = 160;

    private final Head head;
    private long balance;

    CsvStatement(Head head) {
        this.head = head;
        this.balance = head.opening();
    }

    @Override
    public byte[] part(List<Line> lines, boolean isFirst, boolean isLast) {
        return SendExport.csv((lines.size() + 3) * ROW_BYTES, csv -> {
            if (isFirst) {
                csv.writeRecord(COLUMNS);
                balanceLine(csv, head.from(), "opening_balance");
            }
            for (Line line : lines) {
                balance = line.balance();
                csv.writeRecord(values(line, head.timestamps()));
            }
            if (isLast) {
                balanceLine(
                        csv,
                        head.before().minusSeconds(1),
                        head.isFinal() ? "closing_balance" : "closing_balance_not_final");
            }
        });
    }

    private void balanceLine(CsvWriter csv, Instant at, String type) {
        csv.writeRecord("", head.timestamps().format(at), "", type, "", "", "", decimal(balance));
    }

    /** The values of the columns, which are the fields of the JSON too. */
    static List<String> values(Line line, Timestamps timestamps) {
        var entry = line.entry();
        return List.of(
                entry.id(),
                timestamps.format(entry.at()),
                entry.transactionId().toString(),
                entry.type(),
                decimal(entry.gross()),
                decimal(entry.commission()),
                decimal(entry.net()),
                decimal(line.balance()));
    }
}
