package dev.ligeiro.gateway.operator.console;

import static dev.ligeiro.gateway.operator.console.OperatorConsole.HOME;
import static dev.ligeiro.gateway.operator.console.RowsOf.*;

import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.html.ApiAnswer;
import dev.ligeiro.gateway.http.html.ApiFailure;
import dev.ligeiro.gateway.http.html.ApiRequest;
import dev.ligeiro.gateway.operator.admin.ManagementRoutes;
import dev.ligeiro.gateway.operator.console.Block.Cell;
import dev.ligeiro.gateway.operator.console.Block.Link;
import dev.ligeiro.gateway.operator.console.Block.Notice;
import dev.ligeiro.gateway.operator.console.Block.Rows;
import dev.ligeiro.gateway.operator.console.Block.Search;
import dev.ligeiro.pix.TaxId;
import dev.ligeiro.transaction.TransactionId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** {@code /console/search}: finds transactions, payments and merchants of the whole installation by one field. */
@Component
class SearchPages implements ManagementRoutes {

    private static final Pattern UUID_FORM = Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");
    private static final Pattern END_TO_END_ID = Pattern.compile("[ED][0-9A-Za-z]{31}");
    private static final Pattern NUMBER = Pattern.compile("#?([0-9]{1,9})");

    private final OperatorConsole console;

    SearchPages(OperatorConsole console) {
        this.console = console;
    }

    @Override
    public List<Route> routes() {
        return List.of(console.page(HOME + "/search", this::search));
    }

    private Mono<ServerResponse> search(OperatorVisit visit) {
        String wanted = visit.query("q").strip();
        OperatorText text = visit.text();
        Search field = new Search(
                HOME + "/search",
                "q",
                text.of("search.label"),
                wanted,
                text.of("search.button"),
                text.of("search.hint"));
        if (wanted.isEmpty()) {
            String after = visit.query("after");
            return visit.read("/admin/merchants" + (after.isEmpty() ? "" : "?after=" + ApiRequest.encoded(after)))
                    .flatMap(page -> console.show(
                            visit,
                            OperatorView.of(
                                    text.of("menu.search"), field, merchants(visit, "search.merchants", page))));
        }
        return Flux.fromIterable(targets(wanted, visit.query("after")))
                .flatMapSequential(target -> visit.send(ApiRequest.get(target)))
                .collectList()
                .flatMap(answers -> {
                    ArrayNode transactions = JsonNodeFactory.instance.arrayNode();
                    ArrayNode merchants = JsonNodeFactory.instance.arrayNode();
                    ArrayNode payments = JsonNodeFactory.instance.arrayNode();
                    List<Block> blocks = new ArrayList<>(List.of(field));
                    String next = "";
                    for (ApiAnswer answer : answers) {
                        if (answer.status() == 422) {
                            answer.fieldErrors().values().forEach(why -> blocks.add(new Notice("wait", why)));
                        } else if (answer.isSuccess()) {
                            answer.json().path("transactions").forEach(transactions::add);
                            if (answer.json().has("transactions") && isTaxId(wanted)) {
                                next = answer.json().path("next_cursor").asString("");
                            }
                            answer.json().path("merchants").forEach(merchants::add);
                            answer.json().path("unmatched_payments").forEach(payments::add);
                            if (answer.json().has("number")) {
                                merchants.add(answer.json());
                            }
                        } else if (answer.status() != 404) {
                            throw new ApiFailure(answer);
                        }
                    }
                    Rows found = rows(visit, "search.transactions", transactions, SearchPages::found, none());
                    blocks.add(next.isEmpty() ? found : andEarlier(text, found, wanted, next));
                    if (!payments.isEmpty()) {
                        blocks.add(rows(visit, "search.payments", payments, SearchPages::payment, none()));
                    }
                    blocks.add(rows(visit, "search.merchants", merchants, SearchPages::foundMerchant, none()));
                    return console.show(visit, OperatorView.of(text.of("menu.search"), blocks.toArray(Block[]::new)));
                });
    }

    /** A search by document ends after some days, perhaps before it has found any. */
    private static Rows andEarlier(OperatorText text, Rows found, String wanted, String next) {
        String time = text.language().format(new TransactionId(UUID.fromString(next)).createdAt(), text.zone());
        return new Rows(
                found.title(),
                found.filters(),
                found.columns(),
                found.rows(),
                text.of("empty.search.since", time),
                found.links(),
                Link.to(
                        text.of("search.earlier", time),
                        HOME + "/search?q=" + ApiRequest.encoded(wanted) + "&after=" + ApiRequest.encoded(next)));
    }

    /**
     * The requests that may find it: what it is follows from its form.
     *
     * @param after where the last page of a search by document has ended; {@code ""} for the first page
     */
    private static List<String> targets(String wanted, String after) {
        String text = ApiRequest.encoded(wanted);
        if (!after.isEmpty()) {
            return List.of("/admin/transactions?document=" + text + "&after=" + ApiRequest.encoded(after));
        }
        if (UUID_FORM.matcher(wanted).matches()) {
            return List.of("/admin/transactions?id=" + text, "/admin/merchants/" + text);
        }
        if (END_TO_END_ID.matcher(wanted).matches()) {
            return List.of("/admin/transactions?e2e_id=" + text, "/admin/unmatched-payments?e2e_id=" + text);
        }
        List<String> targets = new ArrayList<>(List.of("/admin/transactions?reference=" + text));
        if (isTaxId(wanted)) {
            targets.add("/admin/transactions?document=" + text);
        }
        if (NUMBER.matcher(wanted).matches()) {
            targets.add("/admin/merchants?number=" + NUMBER.matcher(wanted).replaceAll("$1"));
        }
        targets.add("/admin/merchants?name=" + text);
        return targets;
    }

    private static boolean isTaxId(String text) {
        try {
            TaxId.parse(text);
            return true;
        } catch (IllegalArgumentException other) {
            return false;
        }
    }

    private static Map<String, Cell> found(Values item) {
        Map<String, Cell> cells = new LinkedHashMap<>();
        cells.put("created", item.time("created_at"));
        cells.put("transaction", item.transaction("id"));
        cells.put("merchant", item.merchant());
        cells.put("mode", item.mode());
        cells.put("operation", item.word("operation", "operation"));
        cells.put("status", item.badge("status", "status"));
        cells.put("amount", item.amount("amount"));
        return cells;
    }

    private static Map<String, Cell> payment(Values item) {
        Map<String, Cell> cells = new LinkedHashMap<>();
        cells.put("age", item.age("age_seconds"));
        cells.put("amount", item.amount("amount"));
        cells.put("rail", item.plain("rail"));
        cells.put("reason", item.word("unmatched", "reason"));
        cells.put("named", item.transaction("transaction_id"));
        return cells;
    }

    private static Rows merchants(OperatorVisit visit, String name, JsonNode page) {
        Rows all = rows(visit, name, page.path("merchants"), SearchPages::foundMerchant, none());
        String next = page.path("next_cursor").asString("");
        return next.isEmpty() ? all : all.more(visit.text(), HOME + "/search?after=" + ApiRequest.encoded(next));
    }

    static Map<String, Cell> foundMerchant(Values item) {
        Map<String, Cell> cells = new LinkedHashMap<>();
        cells.put("name", new Cell(item.raw("name"), HOME + "/merchants/" + item.raw("id"), ""));
        cells.put("number", item.number("number"));
        cells.put("city", item.plain("city"));
        cells.put("since", item.time("created_at"));
        return cells;
    }
}
