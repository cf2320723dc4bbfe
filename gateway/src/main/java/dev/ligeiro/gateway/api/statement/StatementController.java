package dev.ligeiro.gateway.api.statement;

import dev.ligeiro.gateway.api.list.SendExport;
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
import dev.ligeiro.gateway.store.FailFast;
import dev.ligeiro.merchant.Scope;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.view.Timestamps;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
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
    private static final int PAGE = 100;

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
        Caller caller = request.caller();
        StatementQuery query = StatementQuery.parse(request.queryParams(), today(), zone);
        // Kafka is asked before the entries are read, so that a final day has all its entries
        return days.areFinalUntil(query.before())
                .flatMap(isFinal -> reads.page(caller.tenant(), failFast.run(page(caller, query)))
                        .map(page -> json(page, isFinal)))
                .flatMap(json -> pages.send(caller.tenant(), json));
    }

    /** @param entries one more than the page has, if another one follows */
    private record Page(long opening, long closing, long start, List<Entry> entries) {}

    private Mono<Page> page(Caller caller, StatementQuery query) {
        return Mono.zip(
                        store.before(caller.tenant(), query.from()),
                        store.before(caller.tenant(), query.before()),
                        store.entries(caller.tenant(), query, query.after(), PAGE + 1))
                .map(found -> new Page(
                        found.getT1(),
                        found.getT2(),
                        query.after() == null ? found.getT1() : query.after().balance(),
                        found.getT3()));
    }

    private byte[] json(Page page, boolean isFinal) {
        return JsonResponse.object(json -> {
            json.writeStringProperty("opening_balance", decimal(page.opening()));
            json.writeStringProperty("closing_balance", decimal(page.closing()));
            json.writeBooleanProperty("final", isFinal);
            json.writeArrayPropertyStart("entries");
            long balance = page.start();
            Entry last = null;
            for (Entry entry :
                    page.entries().subList(0, Math.min(PAGE, page.entries().size()))) {
                balance += entry.net();
                last = entry;
                json.writeStartObject();
                json.writeStringProperty("id", entry.id());
                json.writeStringProperty("date_created", timestamps.format(entry.at()));
                json.writeStringProperty("transaction_id", entry.transactionId().toString());
                json.writeStringProperty("type", entry.type());
                json.writeStringProperty("gross", decimal(entry.gross()));
                json.writeStringProperty("commission", decimal(entry.commission()));
                json.writeStringProperty("net", decimal(entry.net()));
                json.writeStringProperty("balance", decimal(balance));
                json.writeEndObject();
            }
            json.writeEndArray();
            if (last != null && page.entries().size() > PAGE) {
                json.writeStringProperty("next_cursor", new StatementCursor(last.at(), last.id(), balance).text());
            } else {
                json.writeNullProperty("next_cursor");
            }
        });
    }

    private Mono<ServerResponse> export(Request<Caller> request) {
        Caller caller = request.caller();
        StatementQuery query = StatementQuery.parseDays(request.queryParams(), today(), zone);
        Tenant tenant = caller.tenant();
        Mono<Void> stillPermitted = callers.stillPermitted(request.http(), SCOPE);
        StatementRows rows = new StatementRows(
                query,
                days.areFinalUntil(query.before()),
                reads.export(tenant, failFast.run(store.before(tenant, query.from()))),
                place -> stillPermitted.then(reads.export(
                        tenant, failFast.run(store.entries(tenant, query, place, StatementRows.READ_ROWS)))),
                timestamps);
        return ServerResponse.ok()
                .build((exchange, context) -> send.to(exchange.getResponse(), caller, "statement.csv", rows));
    }

    private LocalDate today() {
        return LocalDate.ofInstant(clock.instant(), zone);
    }

    /** Cents with two decimals: {@code -10.00}. */
    static String decimal(long cents) {
        return BigDecimal.valueOf(cents, 2).toPlainString();
    }
}
