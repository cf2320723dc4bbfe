package dev.ligeiro.gateway.api.list.export;

import dev.ligeiro.gateway.http.GatewayProperties;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Terms;
import dev.ligeiro.transaction.TransactionSnapshot;
import dev.ligeiro.transaction.TransactionSnapshot.StatusAt;
import dev.ligeiro.view.Timestamps;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Transactions as CSV (RFC 4180): commas, CRLF, quotes only where they are needed. UTF-8 without a byte order mark: a program calls the
 * API, and programs would read the mark as a part of the first column's name.
 *
 * <p>The columns are named as in the JSON of a transaction. Only {@code net_amount} and {@code paid} are not in it: an accountant would
 * have to compute them. Missing texts and times are empty; amounts have two decimals and are never empty.
 */
@Component
public class CsvLines {

    /** Most rows are shorter. */
    private static final int ROW_BYTES = 448;

    private final Timestamps timestamps;
    private final List<Column> columns;

    CsvLines(GatewayProperties properties) {
        this.timestamps = new Timestamps(properties.timeZone());
        this.columns = List.of(
                new Column("id", transaction -> transaction.id().toString()),
                new Column(
                        "date_created",
                        transaction -> timestamps.format(transaction.id().createdAt())),
                new Column("operation", transaction -> transaction.operation().code()),
                new Column("status", transaction -> transaction.status().code()),
                new Column("amount", transaction -> transaction.terms().amount().toString()),
                new Column(
                        "commission",
                        transaction -> transaction.terms().commission().toString()),
                new Column("net_amount", transaction -> netAmount(transaction)),
                new Column(
                        "refunded_amount",
                        transaction -> transaction.refunds().refunded().toString()),
                new Column("paid", transaction -> timestamps.orEmpty(paidAt(transaction))),
                new Column("finished", transaction -> timestamps.orEmpty(transaction.finishedAt())),
                new Column(
                        "expires_at",
                        transaction -> timestamps.orEmpty(transaction.terms().expiresAt())),
                text("name", terms -> terms.payer().name()),
                text("document", terms -> terms.payer().document()),
                text("email", terms -> terms.payer().email()),
                text("phone", terms -> terms.payer().phone()),
                text(
                        "pix_key",
                        terms -> terms.pixKey() == null ? "" : terms.pixKey().value()),
                text("description", Terms::description),
                text("reference", terms -> terms.reference()),
                text("extra", terms -> terms.extra()),
                text("platform", terms -> terms.platform().toString()),
                new Column("e2e_id", transaction -> CellText.of(transaction.endToEndId())));
    }

    /** The lines of {@code rows}, after the line with the names of the columns if {@code withNames}. */
    byte[] of(List<TransactionSnapshot> rows, boolean withNames) {
        return CsvRows.csv((rows.size() + 1) * ROW_BYTES, csv -> {
            if (withNames) {
                csv.writeRecord(columns.stream().map(Column::name).toList());
            }
            rows.forEach(row -> csv.writeRecord(
                    columns.stream().map(column -> column.cell().apply(row)).toList()));
        });
    }

    /** A text that others have written. */
    private static Column text(String name, Function<Terms, @Nullable String> field) {
        return new Column(name, transaction -> {
            String given = field.apply(transaction.terms());
            return given == null ? "" : CellText.of(given);
        });
    }

    /**
     * What a payment brings or costs the merchant: the amount less the commission of a cashin, plus that of a cashout. A fixed commission
     * can be higher than a small amount; the net amount of such a cashin is negative.
     */
    private static String netAmount(TransactionSnapshot transaction) {
        long amount = transaction.terms().amount().cents();
        long commission = transaction.terms().commission().cents();
        long net = transaction.operation() == Operation.CASHIN ? amount - commission : amount + commission;
        return BigDecimal.valueOf(net, 2).toPlainString();
    }

    /** Null if it was never paid. */
    private static @Nullable Instant paidAt(TransactionSnapshot transaction) {
        return transaction.statuses().stream()
                .filter(each -> each.status() == Status.PAID)
                .map(StatusAt::at)
                .reduce((earlier, later) -> later)
                .orElse(null);
    }

    private record Column(String name, Function<TransactionSnapshot, String> cell) {}
}
