package dev.ligeiro.gateway.operator.console;

import static dev.ligeiro.gateway.operator.console.OperatorConsole.HOME;
import static dev.ligeiro.gateway.operator.console.RowsOf.*;

import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.operator.admin.ManagementRoutes;
import dev.ligeiro.gateway.operator.admin.Role;
import dev.ligeiro.gateway.operator.console.Block.Cell;
import dev.ligeiro.gateway.operator.console.Block.Facts;
import dev.ligeiro.gateway.operator.console.Block.Group;
import dev.ligeiro.gateway.operator.console.Block.Link;
import dev.ligeiro.gateway.operator.console.Block.Moment;
import dev.ligeiro.gateway.operator.console.Block.Timeline;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

/** {@code /console/transactions/{id}}: a transaction with its timeline, rail calls, refunds and deliveries, and the decisions that it waits for. */
@Component
class OperatorTransactionPages implements ManagementRoutes {

    private final OperatorConsole console;

    OperatorTransactionPages(OperatorConsole console) {
        this.console = console;
    }

    @Override
    public List<Route> routes() {
        return List.of(console.page(HOME + "/transactions/{id}", this::transaction));
    }

    private Mono<ServerResponse> transaction(OperatorVisit visit) {
        return visit.read("/admin/transactions/" + visit.path("id")).flatMap(found -> {
            OperatorText text = visit.text();
            Values item = new Values(text, found);
            List<Block> blocks = new ArrayList<>();
            blocks.add(new Group(List.of(
                    new Facts(
                            "", facts(item, OperatorTransactionPages::transactionFacts), transactionLinks(visit, item)),
                    new Timeline(text.of("table.timeline"), moments(text, found.path("timeline"))))));
            if (!found.path("rail_calls").isEmpty()) {
                blocks.add(rows(
                        visit, "rail_calls", found.path("rail_calls"), OperatorTransactionPages::railCall, none()));
            }
            if (!found.path("refunds").isEmpty()) {
                blocks.add(rows(visit, "refunds", found.path("refunds"), OperatorTransactionPages::refund, none()));
            }
            blocks.add(rows(visit, "deliveries", found.path("deliveries"), OperatorTransactionPages::delivery, none()));
            String title = text.of(
                    "transaction.title", text.code("operation", item.raw("operation")), text.amount(item.at("amount")));
            return console.show(visit, new OperatorView(title, item.raw("id"), blocks, ""));
        });
    }

    private static Map<String, Cell> transactionFacts(Values item) {
        Map<String, Cell> cells = new LinkedHashMap<>();
        cells.put("status", item.badge("status", "status"));
        if (item.has("denial_reason")) {
            cells.put("denial", item.word("denial", "denial_reason"));
        }
        cells.put("merchant", item.merchant());
        cells.put("mode", item.mode());
        cells.put("e2e", item.code("e2e_id"));
        cells.put("reference", item.plain("reference"));
        cells.put("rail", item.plain("rail"));
        cells.put("commission", new Cell(item.text().amount(item.at("commission")), null, ""));
        cells.put("refunded", new Cell(item.text().amount(item.at("refunded_amount")), null, ""));
        cells.put("created", item.time("created_at"));
        cells.put("expires", item.time("expires_at"));
        cells.put("finished", item.time("finished_at"));
        cells.put("accepted", item.yesNo("accepted"));
        cells.put("due_at", item.time("due_at"));
        if (item.has("unsettled_since")) {
            cells.put("unknown_since", item.time("unsettled_since"));
        }
        if (item.has("approval_since")) {
            cells.put("approval_since", item.time("approval_since"));
        }
        if (item.has("reserved")) {
            cells.put("reserved", new Cell(item.text().amount(item.at("reserved")), null, ""));
        }
        Values payer = new Values(item.text(), item.at("payer"));
        cells.put("payer", payer.plain("name"));
        cells.put("document", payer.plain("document"));
        if (item.has("pix_key")) {
            cells.put("pix_key", new Values(item.text(), item.at("pix_key")).plain("value"));
        }
        return cells;
    }

    /** Those by which a person decides about a cashout. */
    static Map<String, Cell> decidedFacts(Values item) {
        Map<String, Cell> cells = new LinkedHashMap<>();
        cells.put("amount", new Cell(item.text().amount(item.at("amount")), null, ""));
        cells.putAll(transactionFacts(item));
        cells.keySet()
                .retainAll(List.of(
                        "amount", "merchant", "mode", "rail", "status", "payer", "document", "pix_key", "reference"));
        return cells;
    }

    private static List<Link> transactionLinks(OperatorVisit visit, Values item) {
        List<Link> links = new ArrayList<>();
        if (visit.may(Role.MONEY) && item.has("approval_since")) {
            links.addAll(OperatorLists.decisions(visit.text(), item.raw("id")));
        }
        if (visit.may(Role.MONEY) && item.has("unsettled_since")) {
            links.add(Link.button(
                    visit.text().of("link.propose"), HOME + FormSubject.PROPOSE + "?transaction=" + item.raw("id")));
        }
        return links;
    }

    private static List<Moment> moments(OperatorText text, JsonNode timeline) {
        List<Moment> moments = timeline.valueStream()
                .map(entry -> moment(text, new Values(text, entry)))
                .collect(Collectors.toCollection(ArrayList::new));
        Collections.reverse(moments);
        return moments;
    }

    private static Moment moment(OperatorText text, Values entry) {
        String title = entry.has("status") && entry.raw("entry").equals("status_changed")
                ? text.code("status", entry.raw("status"))
                : text.code("entry", entry.raw("entry"));
        String detail = Stream.of(
                        entry.has("amount") ? text.amount(entry.at("amount")) : "",
                        entry.has("source") ? text.of("by", text.code("source", entry.raw("source"))) : "",
                        entry.has("by")
                                ? text.of("key", entry.at("by").path("key").asString())
                                : "",
                        entry.has("reason") ? text.code("denial", entry.raw("reason")) : "",
                        entry.raw("text"),
                        entry.raw("e2e_id"),
                        entry.has("refund") ? text.of("refund", entry.raw("refund")) : "",
                        entry.has("resolution") ? text.of("resolution", entry.raw("resolution")) : "")
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(" · "));
        String code = entry.has("status") ? entry.raw("status") : entry.raw("entry");
        return new Moment(Values.styleOf(code), title, text.time(entry.at("at")), detail);
    }

    private static Map<String, Cell> railCall(Values item) {
        Map<String, Cell> cells = new LinkedHashMap<>();
        cells.put("rail_id", item.code("rail_id"));
        cells.put("unknown_since", item.time("since"));
        cells.put("submissions", item.number("submissions"));
        cells.put("inquiries", item.number("inquiries"));
        cells.put("due_at", item.time("due_at"));
        return cells;
    }

    private static Map<String, Cell> refund(Values item) {
        Map<String, Cell> cells = new LinkedHashMap<>();
        cells.put("at", item.time("requested_at"));
        cells.put("amount", item.amount("amount"));
        cells.put("status", item.badge("refund", "status"));
        cells.put("source", item.word("source", "source"));
        return cells;
    }

    private static Map<String, Cell> delivery(Values item) {
        Map<String, Cell> cells = new LinkedHashMap<>();
        cells.put("event", item.code("event_type"));
        cells.put("status", item.badge("delivery", "status"));
        cells.put("attempts", new Cell(attempts(item), null, ""));
        cells.put("next", item.time("next_attempt_at"));
        return cells;
    }

    private static String attempts(Values item) {
        return item.at("attempts")
                .valueStream()
                .map(attempt -> item.text().time(attempt.path("at")) + ": "
                        + attempt.path("outcome").asString()
                        + (attempt.path("status_code").isNumber()
                                ? " " + attempt.path("status_code").asInt()
                                : ""))
                .collect(Collectors.joining("; "));
    }
}
