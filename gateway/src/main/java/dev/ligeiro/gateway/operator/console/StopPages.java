package dev.ligeiro.gateway.operator.console;

import static dev.ligeiro.gateway.operator.console.OperatorConsole.HOME;
import static dev.ligeiro.gateway.operator.console.RowsOf.*;

import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.html.ApiRequest;
import dev.ligeiro.gateway.operator.admin.ManagementRoutes;
import dev.ligeiro.gateway.operator.admin.Role;
import dev.ligeiro.gateway.operator.console.Block.Cell;
import dev.ligeiro.gateway.operator.console.Block.Link;
import dev.ligeiro.gateway.operator.console.Block.Rows;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** {@code /console/endpoints}: the endpoints of all merchants that fail. {@code /console/stops}: what operators have stopped. */
@Component
class StopPages implements ManagementRoutes {

    private final OperatorConsole console;

    StopPages(OperatorConsole console) {
        this.console = console;
    }

    @Override
    public List<Route> routes() {
        return List.of(console.page(HOME + "/endpoints", this::endpoints), console.page(HOME + "/stops", this::stops));
    }

    private Mono<ServerResponse> endpoints(OperatorVisit visit) {
        String after = visit.query("after");
        return visit.read("/admin/endpoints/failing" + (after.isEmpty() ? "" : "?after=" + ApiRequest.encoded(after)))
                .flatMap(page -> {
                    OperatorText text = visit.text();
                    Rows failing = rows(
                            visit,
                            "failing",
                            page.path("endpoints"),
                            StopPages::failing,
                            (who, item) -> MerchantPages.endpointLinks(
                                    who, HOME + "/merchants/" + item.raw("merchant_id"), item));
                    String next = page.path("next_cursor").asString("");
                    Rows paged = next.isEmpty()
                            ? failing
                            : failing.more(text, HOME + "/endpoints?after=" + ApiRequest.encoded(next));
                    Rows disabled = rows(
                            visit,
                            "disabled",
                            page.path("disabled"),
                            StopPages::disabled,
                            (who, item) -> MerchantPages.endpointLinks(
                                    who, HOME + "/merchants/" + item.raw("merchant_id"), item));
                    return console.show(
                            visit,
                            OperatorView.of(text.of("menu.endpoints"), paged, disabled)
                                    .below(text.of("about.endpoints")));
                });
    }

    private static Map<String, Cell> failing(Values item) {
        Map<String, Cell> cells = new LinkedHashMap<>();
        cells.put("merchant", item.merchant());
        cells.put("url", item.code("url"));
        cells.put("mode", item.mode());
        cells.put("failing_since", item.time("failing_since"));
        cells.put("failures", item.number("failures"));
        cells.put("breaker", item.word("breaker", "breaker"));
        cells.put("next", item.time("next_attempt_at"));
        return cells;
    }

    private static Map<String, Cell> disabled(Values item) {
        Map<String, Cell> cells = new LinkedHashMap<>();
        cells.put("merchant", item.merchant());
        cells.put("url", item.code("url"));
        cells.put("mode", item.mode());
        cells.put("disabled_since", item.time("disabled_since"));
        cells.put("reason", item.word("disabled", "disabled_reason"));
        return cells;
    }

    private Mono<ServerResponse> stops(OperatorVisit visit) {
        return Mono.zip(visit.read("/admin/route-stop"), visit.read("/admin/cashouts-stop"))
                .flatMap(both -> {
                    OperatorText text = visit.text();
                    Rows routes = rows(
                            visit,
                            "route_stops",
                            both.getT1().path("stops"),
                            StopPages::routeStop,
                            (who, stop) -> may(
                                    who,
                                    stop.raw("operation").equals("cashin") ? Role.OPERATE : Role.MONEY,
                                    Link.button(
                                                    text.of("link.resume"),
                                                    HOME + "/stops/route?rail="
                                                            + ApiRequest.encoded(stop.raw("rail")) + "&operation="
                                                            + stop.raw("operation"))
                                            .about(stop.raw("rail"))));
                    Rows cashouts = rows(
                            visit,
                            "cashout_stops",
                            both.getT2().path("stops"),
                            StopPages::cashoutStop,
                            (who, stop) -> may(
                                    who,
                                    Role.MONEY,
                                    Link.button(
                                                    text.of("link.resume"),
                                                    HOME + "/stops/cashouts?rail="
                                                            + ApiRequest.encoded(stop.raw("rail")) + "&merchant="
                                                            + stop.raw("merchant"))
                                            .about(stop.raw("rail") + stop.raw("merchant"))));
                    Rows frozen = rows(visit, "frozen", both.getT2().path("frozen"), StopPages::cashoutStop, none());
                    return console.show(
                            visit,
                            OperatorView.of(
                                            text.of("menu.stops"),
                                            withLink(visit, routes, "route"),
                                            withLink(visit, cashouts, "cashouts"),
                                            frozen)
                                    .below(text.of("about.stops")));
                });
    }

    private static Rows withLink(OperatorVisit visit, Rows rows, String which) {
        return visit.may(Role.OPERATE)
                ? rows.with(
                        Link.button(visit.text().of("link.stop." + which), HOME + "/stops/" + which + "?stopped=true"))
                : rows;
    }

    private static Map<String, Cell> routeStop(Values item) {
        Map<String, Cell> cells = new LinkedHashMap<>();
        cells.put("rail", item.plain("rail"));
        cells.put("operation", item.word("operation", "operation"));
        stop(item, cells);
        return cells;
    }

    private static Map<String, Cell> cashoutStop(Values item) {
        Map<String, Cell> cells = new LinkedHashMap<>();
        cells.put(
                "rail",
                item.has("rail") ? item.plain("rail") : new Cell(item.text().of("all"), null, ""));
        cells.put(
                "merchant",
                item.has("merchant")
                        ? new Cell(item.raw("merchant"), HOME + "/merchants/" + item.raw("merchant"), "code")
                        : new Cell(item.text().of("all"), null, ""));
        stop(item, cells);
        return cells;
    }

    private static void stop(Values item, Map<String, Cell> cells) {
        cells.put("reason", item.plain("reason"));
        cells.put("operator", item.plain("operator"));
        cells.put("since", item.time("at"));
    }
}
