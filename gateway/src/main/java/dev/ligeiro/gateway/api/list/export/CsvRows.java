package dev.ligeiro.gateway.api.list.export;

import static java.nio.charset.StandardCharsets.UTF_8;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Consumer;
import reactor.core.publisher.Mono;

/** The rows of one export, which are read when the connection takes them. Not for use by two threads at once. */
public abstract class CsvRows {

    /** The first lines are read, with the names of the columns. */
    protected boolean begun;

    protected boolean ended;
    /** The number of rows so far, and of those that cannot be decoded and are left out. */
    protected long rows;

    protected long leftOut;

    /**
     * The lines of the next read; the first ones have the names of the columns. Empty if a later read has found no rows. After a failure it
     * can be asked again.
     */
    public abstract Mono<byte[]> next();

    /** Lines with CRLF, in UTF-8. */
    protected static byte[] csv(int typicalBytes, Consumer<CsvWriter> lines) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(typicalBytes);
        try (CsvWriter csv =
                CsvWriter.builder().lineDelimiter(LineDelimiter.CRLF).build(bytes, UTF_8)) {
            lines.accept(csv);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }
}
