package dev.ligeiro.gateway.api.list;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ligeiro.gateway.api.list.ReadMatches.Found;
import dev.ligeiro.gateway.http.GatewayProperties;
import dev.ligeiro.gateway.http.response.JsonResponse;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Payer;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Terms;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.transaction.TransactionSnapshot;
import dev.ligeiro.transaction.TransactionSnapshot.StatusAt;
import dev.ligeiro.view.Timestamps;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Transactions as CSV (RFC 4180): commas, CRLF, quotes only where they are needed. UTF-8 without a byte order mark: a program calls the
 * API, and programs would read the mark as a part of the first column's name.
 *
 * <p>The columns are named as in the JSON of a transaction. Only {@code net_amount} and {@code paid} are not in it: an accountant would
 * have to compute them. Missing texts and times are empty; amounts have two decimals and are never empty.
 */
@Component
class CsvLines {

    /** Ordinary rows: about 100 kB of CSV. */
    private static final int READ_ROWS = 300;

    private static final int READ_ROWS_MIN = 4;

    private static final int ROW_BYTES = 448;

    private static final String FORMULA_STARTS = "=+-@\uFF1D\uFF0B\uFF0D\uFF20";
    private static final String SEPARATORS = ";|\t\r\n";
    private static final String LINE_STARTS = "\t\r\n";
    /** A spreadsheet may pass over them at the start of a cell. */
    private static final String SKIPPED = " \"";

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
                new Column("net_amount", CsvLines::netAmount),
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
                text("reference", Terms::reference),
                text("extra", Terms::extra),
                text("platform", terms -> terms.platform().toString()),
                new Column("e2e_id", transaction -> cell(transaction.endToEndId())),
                new Column(
                        "txid",
                        transaction -> transaction.operation() == Operation.CASHIN
                                ? transaction.id().hex()
                                : ""),
                text("fiscal", terms -> terms.fiscal() == null ? "" : json(terms.fiscal())),
                new Column("payer_name", transaction -> payer(transaction, Payer::name)),
                new Column("payer_document", transaction -> payer(transaction, Payer::maskedTaxId)),
                new Column("payer_mismatch", transaction -> transaction.payerMismatch() == null ? "" : "true"));
    }

    private record Column(String name, Function<TransactionSnapshot, String> cell) {}

    interface Reads {

        /** @param id rows with lower ids; null: from the newest one on */
        Mono<Found> below(@Nullable TransactionId id, int limit);
    }

    /**
     * The rows of one export, the newest first. Each read continues below the id that the last one has reached, so that nothing is held in
     * MongoDB between two reads, and a transaction that is created meanwhile moves no other.
     */
    SendExport.Rows export(Reads reads) {
        return new SendExport.Rows() {

            private @Nullable TransactionId reached;
            /** Large documents end a read early; the next one does not ask for many more than it gets. */
            private int limit = READ_ROWS;

            @Override
            public Mono<byte[]> next() {
                return ended ? Mono.empty() : reads.below(reached, limit).mapNotNull(this::lines);
            }

            private byte @Nullable [] lines(Found found) {
                reached = found.reached();
                ended = reached == null;
                leftOut += found.leftOut();
                limit = Math.min(
                        READ_ROWS, Math.max(READ_ROWS_MIN, 2 * found.rows().size()));
                if (found.rows().isEmpty() && begun) {
                    return null;
                }
                byte[] csv = of(found.rows(), !begun);
                begun = true;
                rows += found.rows().size();
                return csv;
            }
        };
    }

    /** The lines of {@code rows}, after the line with the names of the columns if {@code withNames}. */
    byte[] of(List<TransactionSnapshot> rows, boolean withNames) {
        return SendExport.csv((rows.size() + 1) * ROW_BYTES, csv -> {
            if (withNames) {
                csv.writeRecord(columns.stream().map(Column::name).toList());
            }
            rows.forEach(row -> csv.writeRecord(
                    columns.stream().map(column -> column.cell().apply(row)).toList()));
        });
    }

    private static String payer(TransactionSnapshot transaction, Function<Payer, @Nullable String> field) {
        String told = transaction.paidBy() == null ? null : field.apply(transaction.paidBy());
        return told == null ? "" : cell(told);
    }

    private static Column text(String name, Function<Terms, @Nullable String> field) {
        return new Column(name, transaction -> {
            String given = field.apply(transaction.terms());
            return given == null ? "" : cell(given);
        });
    }

    private static String json(Map<String, String> pairs) {
        return new String(JsonResponse.object(json -> pairs.forEach(json::writeStringProperty)), UTF_8);
    }

    /**
     * A text that others have written, as a cell that no spreadsheet takes for a formula (OWASP, <i>CSV Injection</i>): an apostrophe goes
     * before a character with which a formula can begin.
     *
     * <p>Such a character is looked for at the start of the cell, and also after {@code ;}, {@code |}, a tab or a line break in it: a
     * spreadsheet of a Brazilian computer expects {@code ;} between cells, does not see the quotes of a cell that is not the first one, and
     * would begin a new cell there. A comma needs no care, because a cell with a comma is quoted.
     *
     * <p>A plus sign with digits only stays as it is: phones and phone keys have this form. Such a cell is at most taken for a number.
     */
    static String cell(String given) {
        boolean isPhone = given.startsWith("+")
                && given.length() > 1
                && given.chars().skip(1).allMatch(character -> character >= '0' && character <= '9');
        StringBuilder defused = null;
        for (int i = given.length() - 1; i >= 0 && !isPhone; i--) {
            if (beginsFormula(given, i)) {
                defused = (defused == null ? new StringBuilder(given) : defused).insert(i, '\'');
            }
        }
        return defused == null ? given : defused.toString();
    }

    private static boolean beginsFormula(String text, int index) {
        char character = text.charAt(index);
        if (index == 0 && LINE_STARTS.indexOf(character) >= 0) {
            return true;
        }
        int before = index - 1;
        while (before >= 0 && SKIPPED.indexOf(text.charAt(before)) >= 0) {
            before--;
        }
        return FORMULA_STARTS.indexOf(character) >= 0 && (before < 0 || SEPARATORS.indexOf(text.charAt(before)) >= 0);
    }

    /**
     * What a payment brings or costs the merchant: the amount less the commission of a cashin, plus that of a cashout. A fixed commission
     * can be higher than a small amount; the net amount of such a cashin is negative.
     */
    private static String netAmount(TransactionSnapshot transaction) {
        long amount = transaction.terms().amount().cents();
        long commission = transaction.terms().commission().cents();
        long net = transaction.operation() == Operation.CASHIN ? amount - commission : amount + commission;
        return Amount.decimal(net);
    }

    /** Null if it was never paid. */
    private static @Nullable Instant paidAt(TransactionSnapshot transaction) {
        return transaction.statuses().stream()
                .filter(each -> each.status() == Status.PAID)
                .map(StatusAt::at)
                .reduce((earlier, later) -> later)
                .orElse(null);
    }
}
