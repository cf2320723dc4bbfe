package dev.ligeiro.gateway.api.list.export;

import static java.nio.charset.StandardCharsets.UTF_8;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import dev.ligeiro.gateway.http.GatewayProperties;
import dev.ligeiro.transaction.TransactionSnapshot;
import dev.ligeiro.view.Timestamps;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.springframework.stereotype.Component;

/**
 * Transactions as CSV (RFC 4180): commas, CRLF, quotes only where they are needed. UTF-8 without a byte order mark: a program calls the
 * API, and programs would read the mark as a part of the first column's name.
 */
@Component
class CsvLines {

    /** Most rows are shorter. */
    private static final int ROW_BYTES = 448;

    private final Columns columns;

    CsvLines(GatewayProperties properties) {
        this.columns = new Columns(new Timestamps(properties.timeZone()));
    }

    /** The lines of {@code rows}, after the line with the names of the columns if {@code withNames}. */
    byte[] of(List<TransactionSnapshot> rows, boolean withNames) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream((rows.size() + 1) * ROW_BYTES);
        try (CsvWriter csv =
                CsvWriter.builder().lineDelimiter(LineDelimiter.CRLF).build(bytes, UTF_8)) {
            if (withNames) {
                csv.writeRecord(columns.names());
            }
            rows.forEach(row -> csv.writeRecord(columns.cells(row)));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }
}
