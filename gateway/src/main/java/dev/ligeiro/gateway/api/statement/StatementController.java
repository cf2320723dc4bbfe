package dev.ligeiro.gateway.api.statement;

import static dev.ligeiro.transaction.Amount.decimal;

import dev.ligeiro.gateway.api.list.SendExport;
import dev.ligeiro.gateway.api.statement.StatementFile.Form;
import dev.ligeiro.gateway.api.statement.StatementFile.Head;
import dev.ligeiro.gateway.api.statement.StatementFile.Line;
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
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.view.Timestamps;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** {@code GET /api/v1/balance}, {@code GET /api/v1/statement} and its files: {@code .csv}, {@code .ofx} and {@code .xml}. */
@Component
@Order(5)
class StatementController implements Routes {

    private static final String PATH = "/api/v1/statement";
    private static final Scope SCOPE = Scope.STATEMENT_READ;

    /** The entries of one read for an export. */
    private static final int READ_ROWS = 500;

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
        return Stream.concat(
                        Stream.of(
                                Route.get("/api/v1/balance", callers.with(SCOPE), this::balance),
                                Route.get(PATH, callers.with(SCOPE), TIMEOUT, this::statement)),
                        Form.ALL.stream()
                                .map(form -> Route.download(
                                        PATH + form.suffix(),
                                        callers.with(SCOPE),
                                        form.accepted(),
                                        request -> export(request, form))))
                .toList();
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
            json.writeStringProperty("blocked", decimal(balance.blocked()));
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
                lines(found, query.after() == null ? opening : query.after().balance(), Map.of());
        Page<Line> page = Page.of(lines, line -> place(line).cursor());
        return JsonResponse.object(json -> {
            json.writeStringProperty("opening_balance", decimal(opening));
            json.writeStringProperty("closing_balance", decimal(closing));
            json.writeBooleanProperty("final", isFinal);
            JsonResponse.objects(json, "entries", page.items(), (each, line) -> {
                List<String> values = CsvStatement.values(line, timestamps);
                for (int i = 0; i < CsvStatement.COLUMNS.size(); i++) {
                    each.writeStringProperty(CsvStatement.COLUMNS.get(i), values.get(i));
                }
            });
            json.writeStringProperty("next_cursor", page.next());
        });
    }

    private static List<Line> lines(List<Entry> entries, long balanceBefore, Map<TransactionId, String> endToEndIds) {
        List<Line> lines = new ArrayList<>(entries.size());
        long balance = balanceBefore;
        for (Entry entry : entries) {
            balance += entry.net();
            String payment =
                    entry.adjustedPayment().orElseGet(() -> endToEndIds.getOrDefault(entry.transactionId(), ""));
            lines.add(new Line(entry, balance, payment));
        }
        return lines;
    }

    private static Place place(Line line) {
        return new Place(line.entry().at(), line.entry().id(), line.balance());
    }

    private Mono<ServerResponse> export(Request<Caller> request, Form form) {
        StatementQuery query = StatementQuery.parse(request.queryParams(), false, today(), zone);
        Rows rows = new Rows(request.caller().tenant(), query, form, callers.stillPermitted(request.http(), SCOPE));
        return ServerResponse.ok()
                .build((exchange, context) -> send.to(
                        exchange.getResponse(), request.caller(), "statement" + form.suffix(), form.type(), rows));
    }

    /** A statement as a file, which is begun when it is known whether the days are final. */
    private final class Rows extends SendExport.Rows {

        private final Tenant tenant;
        private final StatementQuery query;
        private final Form form;
        private final Mono<Void> stillPermitted;
        private @Nullable StatementFile file;
        private @Nullable Place reached;
        private long balance;

        private Rows(Tenant tenant, StatementQuery query, Form form, Mono<Void> stillPermitted) {
            this.tenant = tenant;
            this.query = query;
            this.form = form;
            this.stillPermitted = stillPermitted;
        }

        @Override
        public Mono<byte[]> next() {
            return ended
                    ? Mono.empty()
                    : (begun ? Mono.empty() : open())
                            .then(stillPermitted)
                            .then(Mono.defer(() -> inTurn(read())))
                            .map(this::part);
        }

        /** Kafka is asked before the balances and entries are read, so that a final day has all its entries. */
        private Mono<?> open() {
            return days.areFinalUntil(query.before()).flatMap(isFinal -> inTurn(
                            Mono.zip(store.before(tenant, query.from()), store.before(tenant, query.before())))
                    .doOnNext(balances -> {
                        balance = balances.getT1();
                        file = form.begin()
                                .apply(new Head(
                                        tenant,
                                        query.from(),
                                        query.before(),
                                        balances.getT1(),
                                        balances.getT2(),
                                        isFinal,
                                        clock.instant(),
                                        zone,
                                        timestamps));
                    }));
        }

        private Mono<List<Line>> read() {
            return store.entries(tenant, query, reached, READ_ROWS).flatMap(entries -> endToEndIds(entries)
                    .map(ids -> StatementController.lines(entries, balance, ids)));
        }

        private Mono<Map<TransactionId, String>> endToEndIds(List<Entry> entries) {
            return form.hasEndToEndIds()
                    ? store.endToEndIds(
                            tenant, entries.stream().map(Entry::transactionId).collect(Collectors.toUnmodifiableSet()))
                    : Mono.just(Map.of());
        }

        private <T> Mono<T> inTurn(Mono<T> read) {
            return reads.export(tenant, failFast.run(read));
        }

        private byte[] part(List<Line> lines) {
            ended = lines.size() < READ_ROWS;
            byte[] part = Objects.requireNonNull(file).part(lines, !begun, ended);
            if (!lines.isEmpty()) {
                Line last = lines.get(lines.size() - 1);
                balance = last.balance();
                reached = place(last);
            }
            begun = true;
            rows += lines.size();
            return part;
        }
    }

    private LocalDate today() {
        return LocalDate.ofInstant(clock.instant(), zone);
    }
}
