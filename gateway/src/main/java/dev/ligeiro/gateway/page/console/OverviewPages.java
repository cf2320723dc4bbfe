package dev.ligeiro.gateway.page.console;

import static dev.ligeiro.gateway.page.console.MerchantConsole.HOME;

import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.Routes;
import dev.ligeiro.gateway.http.html.ApiFailure;
import dev.ligeiro.gateway.http.html.ApiRequest;
import dev.ligeiro.gateway.http.html.ConsoleHtml;
import dev.ligeiro.gateway.page.console.Answers.BalanceItem;
import dev.ligeiro.gateway.page.console.Answers.EndpointItem;
import dev.ligeiro.gateway.page.console.Answers.EndpointList;
import dev.ligeiro.gateway.page.console.Answers.FiguresItem;
import dev.ligeiro.gateway.page.console.Answers.FiguresList;
import dev.ligeiro.gateway.page.console.Answers.StatementList;
import dev.ligeiro.gateway.page.console.Answers.TransactionList;
import dev.ligeiro.merchant.Scope;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** The merchant as a whole: the first page with the figures, and the statement. */
@Component
@Order(8)
class OverviewPages implements Routes {

    private static final int NEWEST = 8;
    /** A list counts millions once; the figures are shown without it. */
    private static final Duration NEWEST_MAX = Duration.ofMillis(1_500);

    private static final TransactionList NOT_NOW = new TransactionList(List.of(), 1, 1, null, 0);
    private static final List<String> STATEMENT_FIELDS = List.of("initial_date", "final_date", "after");

    private final MerchantConsole console;

    OverviewPages(MerchantConsole console) {
        this.console = console;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                console.page("", this::overview),
                console.page("/statement", this::statement),
                console.page(
                        "/statement.csv",
                        visit -> visit.download(
                                "/api/v1/statement.csv?" + query(visit, List.of("initial_date", "final_date")))));
    }

    private Mono<ServerResponse> overview(ConsoleVisit visit) {
        if (!visit.may(Scope.TRANSACTIONS_READ)) {
            String other = visit.may(Scope.WEBHOOKS_MANAGE)
                    ? "/endpoints"
                    : visit.may(Scope.STATEMENT_READ) ? "/statement" : "/access";
            return ConsoleHtml.seeOther(HOME + other).build();
        }
        Mono<EndpointList> endpoints = visit.may(Scope.WEBHOOKS_MANAGE)
                ? visit.read("/api/v1/webhooks", EndpointList.class)
                : Mono.just(new EndpointList(List.of()));
        return Mono.zip(
                        visit.read("/api/v1/figures", FiguresList.class),
                        visit.read("/api/v1/transactions", TransactionList.class)
                                .timeout(NEWEST_MAX)
                                .onErrorReturn(NOT_NOW),
                        endpoints)
                .flatMap(found -> {
                    List<FiguresItem> days = found.getT1().days();
                    List<EndpointItem> failing = found.getT3().webhooks().stream()
                            .filter(endpoint -> !endpoint.health().equals("enabled"))
                            .toList();
                    return console.respond(
                            visit,
                            visit.text().text("overview.heading"),
                            "overview",
                            Map.of(
                                    "days",
                                    days,
                                    "total",
                                    found.getT1().total(),
                                    "plots",
                                    plots(visit.text(), days),
                                    "newest",
                                    found.getT2().transactions().stream()
                                            .limit(NEWEST)
                                            .toList(),
                                    "isSlow",
                                    found.getT2() == NOT_NOW,
                                    "failing",
                                    failing));
                });
    }

    /** By the names of their figures. */
    private static Map<String, Plot> plots(PageText text, List<FiguresItem> days) {
        return Map.of(
                "created",
                plot(text, "created", days, FiguresItem::created, value -> text.number(value.longValue())),
                "amount",
                plot(
                        text,
                        "amount",
                        days,
                        day -> day.cashinsPaidAmount() == null ? null : new BigDecimal(day.cashinsPaidAmount()),
                        value -> text.amount(value.toString())),
                "median",
                plot(text, "median", days, FiguresItem::medianSecondsToPay, value -> text.duration(value.longValue())));
    }

    private static <N extends Number> Plot plot(
            PageText text,
            String name,
            List<FiguresItem> days,
            Function<FiguresItem, @Nullable N> value,
            Function<N, String> shown) {
        @Nullable FiguresItem most = null;
        for (FiguresItem day : days) {
            N here = value.apply(day);
            N best = most == null ? null : value.apply(most);
            if (here != null && (best == null || here.doubleValue() > best.doubleValue())) {
                most = day;
            }
        }
        N highest = most == null ? null : value.apply(most);
        String highestText = most == null || highest == null || highest.doubleValue() == 0
                ? ""
                : text.text("plot.most") + " " + shown.apply(highest) + ", "
                        + text.day(Objects.requireNonNull(most.date()));
        return Plot.of(
                text.text("plot." + name), highestText, days.stream().map(value).collect(Collectors.toList()));
    }

    private Mono<ServerResponse> statement(ConsoleVisit visit) {
        String query = query(visit, STATEMENT_FIELDS);
        return visit.read("/api/v1/balance", BalanceItem.class)
                .zipWith(visit.send(ApiRequest.get("/api/v1/statement?" + query)))
                .flatMap(found -> {
                    boolean isInvalid = found.getT2().status() == 422;
                    if (!isInvalid && !found.getT2().isSuccess()) {
                        return Mono.error(new ApiFailure(found.getT2()));
                    }
                    StatementList list = isInvalid
                            ? new StatementList("0.00", "0.00", false, List.of(), null)
                            : found.getT2().as(StatementList.class);
                    return console.respond(
                            visit,
                            isInvalid ? HttpStatus.UNPROCESSABLE_CONTENT : HttpStatus.OK,
                            visit.text().text("statement.heading"),
                            "statement",
                            Map.of(
                                    "balance",
                                    found.getT1(),
                                    "list",
                                    list,
                                    "values",
                                    values(visit, STATEMENT_FIELDS),
                                    "errors",
                                    found.getT2().fieldErrors(),
                                    "query",
                                    query(visit, List.of("initial_date", "final_date"))));
                });
    }

    /** The parameters of the page's query, {@code ""} where it has none. */
    static Map<String, String> values(ConsoleVisit visit, List<String> names) {
        return names.stream().collect(Collectors.toMap(name -> name, visit::query));
    }

    /** Those that are not empty, as a query of the API. */
    static String query(ConsoleVisit visit, List<String> names) {
        return names.stream()
                .filter(name -> !visit.query(name).isBlank())
                .map(name -> name + "=" + ApiRequest.encoded(visit.query(name)))
                .collect(Collectors.joining("&"));
    }
}
