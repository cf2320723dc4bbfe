package dev.ligeiro.gateway.api.statement;

import de.siegmar.fastcsv.writer.CsvWriter;
import dev.ligeiro.gateway.api.list.SendExport;
import dev.ligeiro.gateway.api.statement.StatementQuery.Place;
import dev.ligeiro.gateway.api.statement.StatementStore.Balance;
import dev.ligeiro.gateway.api.statement.StatementStore.Entry;
import dev.ligeiro.gateway.http.GatewayProperties;
import dev.ligeiro.gateway.http.Request;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.Routes;
import dev.ligeiro.gateway.http.auth.Caller;
import dev.ligeiro.gateway.http.auth.Callers;
import dev.ligeiro.gateway.http.limit.BoundedReads;
import dev.ligeiro.gateway.http.limit.UnsentPages;
import dev.ligeiro.gateway.http.response.JsonResponse;
import dev.ligeiro.gateway.http.response.Page;
import dev.ligeiro.gateway.store.FailFast;
import dev.ligeiro.merchant.Scope;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.view.Timestamps;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** {@code GET /api/v1/balance}, {@code GET /api/v1/statement} and {@code GET /api/v1/statement.csv}. */
@Component
@Order(5)
class StatementController implements Routes {

    private static final String PATH = "/api/v1/statement";
    private static final Scope SCOPE = Scope.STATEMENT_READ;
    private static final List<String> COLUMNS =
            List.of("id", "date_created", "transaction_id", "type", "gross", "commission", "net", "balance");

    /** The entries of one read for an export, and the bytes of a line. */
    private static final int READ_ROWS = 500;

    private static final int ROW_BYTES = 160;

    /** Kafka is asked up to five times whether a day is final. */
    private static final Duration TIMEOUT = Duration.ofSeconds(15);

    private final Callers callers;
    private final StatementStore store;
    private final FinalDays days;
    private final SendExport send;
    private final BoundedReads reads;
    private final UnsentPages pages;
    private final FailFast failFast;
    private final Clock clock;
    private final ZoneId zone;
    private final Timestamps timestamps;

    StatementController(
            Callers callers,
            StatementStore store,
            FinalDays days,
            SendExport send,
            BoundedReads reads,
            UnsentPages pages,
            FailFast failFast,
            Clock clock,
            GatewayProperties properties,
            Timestamps timestamps) {
        this.callers = callers;
        this.store = store;
        this.days = days;
        this.send = send;
        this.reads = reads;
        this.pages = pages;
        this.failFast = failFast;
        this.clock = clock;
        this.zone = properties.timeZone();
        this.timestamps = timestamps;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                Route.get("/api/v1/balance", callers.with(SCOPE), this::balance),
                Route.get(PATH, callers.with(SCOPE), TIMEOUT, this::statement),
                Route.download(PATH + ".csv", callers.with(SCOPE), new MediaType("text", "csv"), this::export));
    }

    private Mono<ServerResponse> balance(Request<Caller> request) {
        Tenant tenant = request.caller().tenant();
        return reads.page(tenant, failFast.run(store.balance(tenant)))
                .flatMap(balance -> JsonResponse.of(HttpStatus.OK, json(balance)));
    }

    private byte[] json(Balance balance) {
        return JsonResponse.object(json -> {
            json.writeStringProperty("balance", decimal(balance.merchant()));
            json.writeStringProperty("available", decimal(balance.available()));
            json.writeStringProperty("cashouts_in_flight", decimal(balance.cashoutsInFlight()));
            json.writeStringProperty("refunds_in_flight", decimal(balance.refundsInFlight()));
            json.writeStringProperty("as_of", balance.at() == null ? "" : timestamps.format(balance.at()));
        });
    }

    private Mono<ServerResponse> statement(Request<Caller> request) {
        Tenant tenant = request.caller().tenant();
        StatementQuery query = StatementQuery.parse(request.queryParams(), true, today(), zone);
        // Kafka is asked before the entries are read, so that a final day has all its entries
        return days.areFinalUntil(query.before())
                .flatMap(isFinal -> reads.page(
                                tenant,
                                failFast.run(Mono.zip(
                                        store.before(tenant, query.from()),
                                        store.before(tenant, query.before()),
                                        store.entries(tenant, query, query.after(), Page.ITEMS_MAX + 1))))
                        .map(read -> json(query, isFinal, read.getT1(), read.getT2(), read.getT3())))
                .flatMap(json -> pages.send(tenant, json));
    }

    private byte[] json(StatementQuery query, boolean isFinal, long opening, long closing, List<Entry> found) {
        List<Line> lines =
                lines(found, query.after() == null ? opening : query.after().balance());
        Page<Line> page = Page.of(lines, line -> line.place().cursor());
        return JsonResponse.object(json -> {
            json.writeStringProperty("opening_balance", decimal(opening));
            json.writeStringProperty("closing_balance", decimal(closing));
            json.writeBooleanProperty("final", isFinal);
            JsonResponse.objects(json, "entries", page.items(), (each, line) -> {
                List<String> values = line.values(timestamps);
                for (int i = 0; i < COLUMNS.size(); i++) {
                    each.writeStringProperty(COLUMNS.get(i), values.get(i));
                }
            });
            json.writeStringProperty("next_cursor", page.next());
        });
    }

    /** @param balance after the entry */
    private record Line(Entry entry, long balance) {

        private Place place() {
            return new Place(entry.at(), entry.id(), balance);
        }

        private List<String> values(Timestamps timestamps) {
            return List.of(
                    entry.id(),
                    timestamps.format(entry.at()),
                    entry.transactionId().toString(),
                    entry.type(),
                    decimal(entry.gross()),
                    decimal(entry.commission()),
                    decimal(entry.net()),
                    decimal(balance));
        }
    }

    private static List<Line> lines(List<Entry> entries, long balanceBefore) {
        List<Line> lines = new ArrayList<>(entries.size());
        long balance = balanceBefore;
        for (Entry entry : entries) {
            balance += entry.net();
            lines.add(new Line(entry, balance));
        }
        return lines;
    }

    private Mono<ServerResponse> export(Request<Caller> request) {
        StatementQuery query = StatementQuery.parse(request.queryParams(), false, today(), zone);
        Rows rows = new Rows(request.caller().tenant(), query, callers.stillPermitted(request.http(), SCOPE));
        return ServerResponse.ok()
                .build((exchange, context) -> send.to(exchange.getResponse(), request.caller(), "statement.csv", rows));
    }

    /**
     * A statement as CSV: the opening balance, the entries, the closing balance. The type in the last line says whether the days are final.
     * The closing balance is that after the last entry, so the lines add up also while entries are added.
     */
    private final class Rows extends SendExport.Rows {

        private final Tenant tenant;
        private final StatementQuery query;
        private final Mono<Void> stillPermitted;
        private boolean isFinal;
        private @Nullable Place reached;
        private long balance;

        private Rows(Tenant tenant, StatementQuery query, Mono<Void> stillPermitted) {
            this.tenant = tenant;
            this.query = query;
            this.stillPermitted = stillPermitted;
        }

        @Override
        public Mono<byte[]> next() {
            return ended
                    ? Mono.empty()
                    : (begun ? Mono.empty() : open())
                            .then(stillPermitted)
                            .then(Mono.defer(() -> inTurn(store.entries(tenant, query, reached, READ_ROWS))))
                            .map(this::lines);
        }

        private Mono<?> open() {
            return Mono.zip(days.areFinalUntil(query.before()), inTurn(store.before(tenant, query.from())))
                    .doOnNext(found -> {
                        isFinal = found.getT1();
                        balance = found.getT2();
                    });
        }

        private <T> Mono<T> inTurn(Mono<T> read) {
            return reads.export(tenant, failFast.run(read));
        }

        private byte[] lines(List<Entry> found) {
            ended = found.size() < READ_ROWS;
            return SendExport.csv((found.size() + 3) * ROW_BYTES, csv -> {
                if (!begun) {
                    csv.writeRecord(COLUMNS);
                    balanceLine(csv, query.from(), "opening_balance");
                }
                for (Line line : StatementController.lines(found, balance)) {
                    balance = line.balance();
                    reached = line.place();
                    csv.writeRecord(line.values(timestamps));
                }
                begun = true;
                rows += found.size();
                if (ended) {
                    balanceLine(
                            csv,
                            query.before().minusSeconds(1),
                            isFinal ? "closing_balance" : "closing_balance_not_final");
                }
            });
        }

        private void balanceLine(CsvWriter csv, Instant at, String type) {
            csv.writeRecord("", timestamps.format(at), "", type, "", "", "", decimal(balance));
        }
    }

    private LocalDate today() {
        return LocalDate.ofInstant(clock.instant(), zone);
    }

    /** Cents with two decimals: {@code -10.00}. */
    static String decimal(long cents) {
        return BigDecimal.valueOf(cents, 2).toPlainString();
    }
}
