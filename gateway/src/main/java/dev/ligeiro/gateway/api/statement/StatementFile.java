package dev.ligeiro.gateway.api.statement;

import dev.ligeiro.gateway.api.list.SendExport;
import dev.ligeiro.gateway.api.statement.StatementStore.Entry;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.view.Timestamps;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.function.Function;
import org.springframework.http.MediaType;

/**
 * A statement as a file, written in parts as the entries are read, so that a long statement takes little memory. Not for use by two threads at
 * once.
 */
interface StatementFile {

    /**
     * The next part: the first one begins the file, the last one ends it.
     *
     * @throws IllegalStateException if the entries do not lead to a closing balance that an earlier part has
     */
    byte[] part(List<Line> lines, boolean isFirst, boolean isLast);

    /**
     * The form of a file.
     *
     * @param suffix of the path and of the file's name
     * @param accepted the type that a request must accept
     * @param type the type of the response
     * @param hasEndToEndIds whether its lines need the end-to-end ids
     */
    record Form(
            String suffix,
            MediaType accepted,
            String type,
            boolean hasEndToEndIds,
            Function<Head, StatementFile> begin) {

        static final List<Form> ALL = List.of(
                new Form(".csv", new MediaType("text", "csv"), SendExport.CSV, false, CsvStatement::new),
                new Form(".ofx", new MediaType("application", "x-ofx"), "application/x-ofx", true, OfxStatement::new),
                new Form(".xml", MediaType.APPLICATION_XML, "application/xml", true, CamtStatement::new));
    }

    /**
     * The head of a statement, which is known before its entries are read. Balances are in cents.
     *
     * @param from the start of the first day
     * @param before the end of the last day
     * @param closing the balance then; only of use if it is final
     * @param isFinal whether no entry can be added any more
     * @param madeAt when it was read
     */
    record Head(
            Tenant tenant,
            Instant from,
            Instant before,
            long opening,
            long closing,
            boolean isFinal,
            Instant madeAt,
            ZoneId zone,
            Timestamps timestamps) {

        /** A name of the merchant's account: its number and the mode. */
        String account() {
            return tenant.merchantNumber() + "-" + tenant.mode().code();
        }

        /** The last moment of the statement. */
        Instant end() {
            return isFinal || before.isBefore(madeAt) ? before.minusSeconds(1) : madeAt;
        }
    }

    /**
     * An entry.
     *
     * @param balance after it, in cents
     * @param endToEndId of the payment that it is about; {@code ""} if it is not known or needed
     */
    record Line(Entry entry, long balance, String endToEndId) {}
}
