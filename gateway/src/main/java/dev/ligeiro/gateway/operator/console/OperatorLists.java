package dev.ligeiro.gateway.operator.console;

import static dev.ligeiro.gateway.operator.console.FormSubject.PROPOSE;
import static dev.ligeiro.gateway.operator.console.OperatorConsole.HOME;
import static dev.ligeiro.gateway.operator.console.RowsOf.columns;
import static dev.ligeiro.gateway.operator.console.RowsOf.items;

import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.html.ApiRequest;
import dev.ligeiro.gateway.operator.admin.ManagementRoutes;
import dev.ligeiro.gateway.operator.admin.Role;
import dev.ligeiro.gateway.operator.console.Block.Cell;
import dev.ligeiro.gateway.operator.console.Block.Link;
import dev.ligeiro.gateway.operator.console.Block.Rows;
import dev.ligeiro.message.Topics;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** The lists of open work, each a page of the list of the admin API with the same items. */
@Component
class OperatorLists implements ManagementRoutes {

    private static final Filter STATE = new Filter("state", List.of("open", "closed"));

    private final OperatorConsole console;

    OperatorLists(OperatorConsole console) {
        this.console = console;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                list("unsettled", "/admin/unsettled", "unsettled", null, this::unsettled, this::resolve),
                list(
                        "unmatched",
                        "/admin/unmatched-payments",
                        "unmatched_payments",
                        new Filter("state", List.of("open", "resolved")),
                        OperatorLists::unmatched,
                        this::resolvePayment),
                list("breaks", "/admin/breaks", "breaks", STATE, this::breaks, this::closeBreak),
                list("approvals", "/admin/approvals", "approvals", null, this::approvals, this::decide),
                list(
                        "resolutions",
                        "/admin/resolutions",
                        "resolutions",
                        new Filter("state", List.of("proposed", "confirmed", "applied", "")),
                        OperatorLists::resolutions,
                        this::confirm),
                list(
                        "dead-letters",
                        "/admin/dead-letters",
                        "dead_letters",
                        new Filter("topic", List.of(Topics.COMMANDS, Topics.EVENTS)),
                        this::deadLetters,
                        this::redrive),
                list("audit", "/admin/audit", "audit", null, OperatorLists::audit, (visit, item) -> List.of()));
    }

    private static Map<String, Cell> audit(Values item) {
        Map<String, Cell> cells = auditOfMerchant(item);
        cells.put("merchant", item.merchant());
        return cells;
    }

    static Map<String, Cell> auditOfMerchant(Values item) {
        Map<String, Cell> cells = new LinkedHashMap<>();
        cells.put("at", item.time("at"));
        cells.put("operator", item.whole("operator"));
        cells.put("action", item.code("action"));
        cells.put("body", item.code("body"));
        cells.put("result", item.number("status"));
        return cells;
    }

    private Map<String, Cell> unsettled(Values item) {
        Map<String, Cell> cells = new LinkedHashMap<>();
        cells.put("age", item.age("age_seconds"));
        cells.put("transaction", item.transaction("id"));
        cells.put("merchant", item.merchant());
        cells.put("amount", item.amount("amount"));
        cells.put("operation", item.word("operation", "operation"));
        cells.put("rail", item.whole("rail"));
        cells.put("calls", new Cell(calls(item), null, ""));
        return cells;
    }

    private static String calls(Values item) {
        return item.at("calls")
                .valueStream()
                .map(call -> item.text()
                        .of(
                                call.path("refund_id").isNull() ? "calls.transaction" : "calls.refund",
                                call.path("submissions").asInt(),
                                call.path("inquiries").asInt()))
                .collect(Collectors.joining("; "));
    }

    private List<Link> resolve(OperatorVisit visit, Values item) {
        if (!visit.may(Role.MONEY)) {
            return List.of();
        }
        return List.of(Link.button(visit.text().of("link.propose"), HOME + PROPOSE + "?transaction=" + item.raw("id"))
                .about(item.raw("id")));
    }

    static Map<String, Cell> unmatched(Values item) {
        Map<String, Cell> cells = new LinkedHashMap<>();
        cells.put("age", item.age("age_seconds"));
        cells.put("amount", item.amount("amount"));
        cells.put("rail", item.whole("rail"));
        cells.put("reason", item.word("unmatched", "reason"));
        cells.put("e2e", item.code("end_to_end_id"));
        cells.put("named", item.transaction("transaction_id"));
        cells.put("merchant", item.merchant());
        return cells;
    }

    private List<Link> resolvePayment(OperatorVisit visit, Values item) {
        return visit.may(Role.MONEY) && !item.has("resolution")
                ? List.of(Link.button(
                                visit.text().of("link.propose"),
                                HOME + PROPOSE + "?unmatched_payment=" + ApiRequest.encoded(item.raw("id"))
                                        + (item.has("merchant_number")
                                                ? "&transaction=" + item.raw("transaction_id")
                                                : ""))
                        .about(item.raw("end_to_end_id")))
                : List.of();
    }

    private Map<String, Cell> breaks(Values item) {
        Map<String, Cell> cells = new LinkedHashMap<>();
        cells.put("age", item.age("age_seconds"));
        cells.put("rail", item.whole("rail"));
        cells.put("kind", item.word("break", "kind"));
        cells.put("ours", item.amount("our_amount"));
        cells.put("theirs", item.amount("their_amount"));
        cells.put("rail_id", item.code("rail_id"));
        cells.put("transaction", item.transaction("transaction_id"));
        cells.put("merchant", item.merchant());
        if (item.has("closed_at")) {
            cells.put("closed", new Cell(item.text().text(item.at("closed_by")), null, ""));
            cells.put("reason", item.plain("reason"));
        }
        return cells;
    }

    private List<Link> closeBreak(OperatorVisit visit, Values item) {
        return visit.may(Role.MONEY) && !item.has("closed_at")
                ? List.of(Link.button(visit.text().of("link.close"), HOME + "/breaks/" + item.raw("id") + "/close")
                        .about(item.raw("rail_id")))
                : List.of();
    }

    private Map<String, Cell> approvals(Values item) {
        Map<String, Cell> cells = new LinkedHashMap<>();
        cells.put("waiting", item.age("age_seconds"));
        cells.put("transaction", item.transaction("id"));
        cells.put("merchant", item.merchant());
        cells.put("mode", item.mode());
        cells.put("amount", item.amount("amount"));
        cells.put("rail", item.whole("rail"));
        return cells;
    }

    private List<Link> decide(OperatorVisit visit, Values item) {
        return visit.may(Role.MONEY) ? decisions(visit.text(), item.raw("id")) : List.of();
    }

    static List<Link> decisions(OperatorText text, String transaction) {
        String path = HOME + "/transactions/" + transaction;
        return List.of(
                Link.button(text.of("link.approve"), path + "/approve").about(transaction),
                Link.button(text.of("link.reject"), path + "/reject").about(transaction));
    }

    static Map<String, Cell> resolutions(Values item) {
        Map<String, Cell> cells = new LinkedHashMap<>();
        cells.put("state", item.badge("resolution", "state"));
        cells.put("decision", item.word("decision", "decision"));
        cells.put("transaction", item.transaction("transaction"));
        cells.put("payment", item.code("unmatched_payment"));
        cells.put("reason", item.plain("reason"));
        cells.put("proposed", by(item, "proposed_by", "proposed_at"));
        cells.put("decided", by(item, "decided_by", "decided_at"));
        return cells;
    }

    private static Cell by(Values item, String who, String at) {
        return item.has(who)
                ? new Cell(item.raw(who) + ", " + item.text().time(item.at(at)), null, "")
                : new Cell(OperatorText.NONE, null, "");
    }

    private List<Link> confirm(OperatorVisit visit, Values item) {
        if (!visit.may(Role.MONEY) || !item.raw("state").equals("proposed")) {
            return List.of();
        }
        String path = HOME + "/resolutions/" + item.raw("id");
        List<Link> links = new ArrayList<>();
        if (!item.raw("proposed_by").equals(visit.operator().name())) {
            links.add(Link.button(visit.text().of("link.confirm"), path + "/confirm")
                    .about(item.raw("id")));
        }
        links.add(Link.button(visit.text().of("link.withdraw"), path + "/withdraw")
                .about(item.raw("id")));
        return links;
    }

    private Map<String, Cell> deadLetters(Values item) {
        Map<String, Cell> cells = new LinkedHashMap<>();
        cells.put("at", item.time("at"));
        cells.put("reason", item.whole("reason"));
        cells.put("detail", item.code("detail"));
        cells.put("exception", item.code("exception"));
        cells.put("transaction", item.transaction("transaction_id"));
        cells.put("merchant", item.merchant());
        cells.put(
                "redriven",
                item.at("redriven").asBoolean(false)
                        ? new Cell(item.text().of("yes"), null, "badge good")
                        : new Cell(item.text().of("no"), null, "badge wait"));
        return cells;
    }

    private List<Link> redrive(OperatorVisit visit, Values item) {
        return visit.may(Role.OPERATE) && !item.at("redriven").asBoolean(false)
                ? List.of(Link.button(
                                visit.text().of("link.redrive"),
                                HOME + "/dead-letters/redrive?topic=" + item.raw("topic") + "&ids="
                                        + ApiRequest.encoded(item.raw("id")))
                        .about(item.raw("id")))
                : List.of();
    }

    private Route list(
            String name,
            String target,
            String member,
            @Nullable Filter filter,
            Function<Values, Map<String, Cell>> cells,
            BiFunction<OperatorVisit, Values, List<Link>> links) {
        return console.page(HOME + "/" + name, visit -> {
            String chosen = filter == null ? "" : filter.chosen(visit);
            Map<String, String> query = new LinkedHashMap<>();
            if (filter != null && !chosen.isEmpty()) {
                query.put(filter.name(), chosen);
            }
            String after = visit.query("after");
            return visit.read(withQuery(target, query, after)).flatMap(page -> {
                OperatorText text = visit.text();
                String title = text.of("menu." + name);
                String next = page.path("next_cursor").asString("");
                Rows rows = new Rows(
                        "",
                        filter == null ? List.of() : filter.links(text, HOME + "/" + name, chosen),
                        columns(text, page.path(member), cells),
                        items(visit, page.path(member), cells, links),
                        text.of("empty." + name),
                        after.isEmpty()
                                ? List.of()
                                : List.of(Link.to(text.of("first_page"), withQuery(HOME + "/" + name, query, ""))),
                        next.isEmpty()
                                ? null
                                : Link.to(text.of("next_page"), withQuery(HOME + "/" + name, query, next)));
                return show(visit, OperatorView.of(title, rows).below(text.of("about." + name)));
            });
        });
    }

    private Mono<ServerResponse> show(OperatorVisit visit, OperatorView view) {
        return console.show(visit, view);
    }

    private static String withQuery(String path, Map<String, String> query, String after) {
        Map<String, String> all = new LinkedHashMap<>(query);
        if (!after.isEmpty()) {
            all.put("after", after);
        }
        return all.isEmpty()
                ? path
                : path
                        + all.entrySet().stream()
                                .map(one -> one.getKey() + "=" + ApiRequest.encoded(one.getValue()))
                                .collect(Collectors.joining("&", "?", ""));
    }

    /** @param values those that can be chosen, the first one by default; {@code ""} for all */
    private record Filter(String name, List<String> values) {

        String chosen(OperatorVisit visit) {
            return visit.request().queryParam(name).filter(values::contains).orElse(values.get(0));
        }

        List<Link> links(OperatorText text, String path, String chosen) {
            return values.stream()
                    .map(value -> new Link(
                            text.of("filter." + (value.isEmpty() ? "all" : value)),
                            path + "?" + name + "=" + value,
                            "",
                            "",
                            value.equals(chosen)))
                    .toList();
        }
    }
}
