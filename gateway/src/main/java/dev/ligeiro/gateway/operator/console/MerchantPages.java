package dev.ligeiro.gateway.operator.console;

import static dev.ligeiro.gateway.operator.console.OperatorConsole.HOME;
import static dev.ligeiro.gateway.operator.console.RowsOf.*;

import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.html.ApiRequest;
import dev.ligeiro.gateway.operator.admin.ManagementRoutes;
import dev.ligeiro.gateway.operator.admin.Role;
import dev.ligeiro.gateway.operator.console.Block.Cell;
import dev.ligeiro.gateway.operator.console.Block.Facts;
import dev.ligeiro.gateway.operator.console.Block.Group;
import dev.ligeiro.gateway.operator.console.Block.Link;
import dev.ligeiro.gateway.operator.console.Block.Notice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** {@code /console/merchants/{id}}: a merchant with its fees, limits, guards, keys, endpoints and audit. */
@Component
class MerchantPages implements ManagementRoutes {

    private static final int AUDIT_MAX = 20;

    private final OperatorConsole console;

    MerchantPages(OperatorConsole console) {
        this.console = console;
    }

    @Override
    public List<Route> routes() {
        return List.of(console.page(HOME + "/merchants/{id}", this::merchant));
    }

    private Mono<ServerResponse> merchant(OperatorVisit visit) {
        String target = "/admin/merchants/" + visit.path("id");
        return Mono.zip(
                        visit.read(target),
                        visit.read(target + "/guard"),
                        visit.read(target + "/keys"),
                        visit.read(target + "/endpoints"),
                        visit.read("/admin/cashouts-stop"),
                        visit.read("/admin/audit?merchant=" + visit.path("id")))
                .flatMap(all -> console.show(
                        visit,
                        merchant(
                                visit,
                                new Values(visit.text(), all.getT1()),
                                all.getT2(),
                                all.getT3(),
                                all.getT4(),
                                all.getT5(),
                                all.getT6())));
    }

    private static OperatorView merchant(
            OperatorVisit visit,
            Values merchant,
            JsonNode guards,
            JsonNode keys,
            JsonNode endpoints,
            JsonNode stops,
            JsonNode audit) {
        OperatorText text = visit.text();
        String path = HOME + "/merchants/" + merchant.raw("id");
        List<Block> blocks = new ArrayList<>();
        JsonNode frozen = ofMerchant(stops.path("frozen"), merchant.raw("id"));
        if (!frozen.isMissingNode()) {
            blocks.add(new Notice("bad", stopped(text, "frozen", frozen)));
        }
        JsonNode stopped = ofMerchant(stops.path("stops"), merchant.raw("id"));
        if (!stopped.isMissingNode()) {
            blocks.add(new Notice("wait", stopped(text, "cashouts_stopped", stopped)));
        }
        List<Block> group = new ArrayList<>();
        group.add(new Facts(
                text.of("table.merchant"),
                facts(merchant, MerchantPages::merchantFacts),
                Stream.of(
                                may(visit, Role.OPERATE, Link.button(text.of("link.rename"), path + "/name")),
                                frozen.isMissingNode()
                                        ? may(
                                                visit,
                                                Role.OPERATE,
                                                Link.button(text.of("link.freeze"), path + "/freeze"))
                                        : may(
                                                visit,
                                                Role.MONEY,
                                                Link.button(text.of("link.unfreeze"), path + "/unfreeze")))
                        .flatMap(List::stream)
                        .toList()));
        group.add(new Facts(
                text.of("table.fees"),
                facts(merchant, MerchantPages::fees),
                may(
                        visit,
                        Role.OPERATE,
                        Link.button(text.of("link.change"), path + "/fees").about(text.of("table.fees")))));
        group.add(new Facts(
                text.of("table.limits"),
                facts(new Values(text, merchant.at("limits")), MerchantPages::limits),
                may(
                        visit,
                        Role.OPERATE,
                        Link.button(text.of("link.change"), path + "/limits").about(text.of("table.limits")))));
        guards.path("guards").forEach(guard -> {
            Values values = new Values(text, guard);
            String title = text.of("table.guard", text.code("mode", values.raw("mode")));
            group.add(new Facts(
                    title,
                    facts(values, MerchantPages::guard),
                    may(
                            visit,
                            Role.MONEY,
                            Link.button(text.of("link.change"), path + "/guard?mode=" + values.raw("mode"))
                                    .about(title))));
        });
        blocks.add(new Group(group));
        blocks.add(rows(visit, "keys", keys.path("keys"), MerchantPages::key, (who, key) -> keyLinks(who, path, key)));
        blocks.add(rows(
                visit,
                "endpoints",
                endpoints.path("endpoints"),
                MerchantPages::endpoint,
                (who, endpoint) -> endpointLinks(who, path, endpoint)));
        ArrayNode latest = JsonNodeFactory.instance.arrayNode();
        audit.path("audit").valueStream().limit(AUDIT_MAX).forEach(latest::add);
        blocks.add(rows(visit, "audit", latest, OperatorLists::auditOfMerchant, none()));
        return new OperatorView(
                merchant.raw("name"),
                text.of("merchant.sub", merchant.at("number").asLong()),
                blocks,
                "");
    }

    private static JsonNode ofMerchant(JsonNode stops, String merchant) {
        return stops.valueStream()
                .filter(stop -> stop.path("merchant").asString("").equals(merchant))
                .findFirst()
                .orElse(stops.path(-1));
    }

    private static String stopped(OperatorText text, String what, JsonNode stop) {
        return text.of(
                "notice." + what,
                text.time(stop.path("at")),
                stop.path("operator").asString(),
                stop.path("reason").asString());
    }

    private static Map<String, Cell> merchantFacts(Values item) {
        Map<String, Cell> cells = new LinkedHashMap<>();
        cells.put("id", item.code("id"));
        cells.put("city", item.plain("city"));
        cells.put("since", item.time("created_at"));
        cells.put("expires_in", item.age("expires_in"));
        cells.put("commission_returns", item.yesNo("commission_returns"));
        return cells;
    }

    private static Map<String, Cell> fees(Values item) {
        Map<String, Cell> cells = new LinkedHashMap<>();
        Stream.of("cashin", "cashout").forEach(operation -> {
            JsonNode fee = item.at("fees").path(operation);
            cells.put(
                    "fee_" + operation,
                    new Cell(
                            fee.isObject()
                                    ? fee.path("percent").asString() + " % + "
                                            + item.text().amount(fee.path("fixed"))
                                    : OperatorText.NONE,
                            null,
                            ""));
        });
        return cells;
    }

    private static Map<String, Cell> limits(Values item) {
        Map<String, Cell> cells = new LinkedHashMap<>();
        Stream.of("cashin", "cashout").forEach(operation -> {
            JsonNode range = item.at(operation);
            cells.put(
                    "amounts_" + operation,
                    new Cell(
                            range.path("amount_min").isNull()
                                            && range.path("amount_max").isNull()
                                    ? OperatorText.NONE
                                    : item.text().amount(range.path("amount_min")) + " … "
                                            + item.text().amount(range.path("amount_max")),
                            null,
                            ""));
        });
        cells.put("reads", new Cell(item.text().number(item.at("reads_per_second")), null, ""));
        cells.put("writes", new Cell(item.text().number(item.at("writes_per_second")), null, ""));
        return cells;
    }

    private static Map<String, Cell> guard(Values item) {
        Map<String, Cell> cells = new LinkedHashMap<>();
        Stream.of("amount_max", "day_max", "night_max", "approval_above")
                .forEach(limit -> cells.put(limit, new Cell(item.text().amount(item.at(limit)), null, "")));
        cells.put(
                "count_max",
                new Cell(
                        item.has("count_max")
                                ? item.text()
                                        .of(
                                                "count_in",
                                                item.at("count_max").asLong(),
                                                item.text().age(item.at("window_seconds")))
                                : OperatorText.NONE,
                        null,
                        ""));
        cells.put("funds_check", item.yesNo("funds_check"));
        cells.put("allowed", new Cell(allowed(item), null, ""));
        return cells;
    }

    private static String allowed(Values item) {
        return item.has("allowed_keys") || item.has("allowed_documents")
                ? item.text()
                        .of(
                                "allowed_counts",
                                item.at("allowed_keys").size(),
                                item.at("allowed_documents").size())
                : item.text().of("all");
    }

    static Map<String, Cell> key(Values item) {
        Map<String, Cell> cells = new LinkedHashMap<>();
        cells.put("name", item.plain("name"));
        cells.put("prefix", new Cell(item.raw("prefix"), null, "code nowrap"));
        cells.put("mode", item.mode());
        cells.put("status", item.badge("key", "status"));
        cells.put("last_used", item.time("last_used_at"));
        cells.put(
                "scopes",
                new Cell(
                        item.at("scopes")
                                .valueStream()
                                .map(scope -> scope.asString(""))
                                .collect(Collectors.joining(", ")),
                        null,
                        ""));
        return cells;
    }

    private static List<Link> keyLinks(OperatorVisit visit, String path, Values key) {
        if (!key.raw("status").equals("active")) {
            return List.of();
        }
        String about = key.has("name") ? key.raw("name") : key.raw("id");
        String keyPath = path + "/keys/" + key.raw("id");
        return may(
                visit,
                Role.OPERATE,
                Link.button(visit.text().of("link.rotate"), keyPath + "/rotate").about(about),
                Link.button(visit.text().of("link.revoke"), keyPath + "/revoke").about(about));
    }

    static Map<String, Cell> endpoint(Values item) {
        Map<String, Cell> cells = new LinkedHashMap<>();
        cells.put("url", item.code("url"));
        cells.put("mode", item.mode());
        cells.put("status", item.badge("endpoint", "status"));
        cells.put("failing_since", item.time("failing_since"));
        cells.put("breaker", item.word("breaker", "breaker"));
        cells.put("waiting", item.number("waiting"));
        cells.put("missed", item.number("missed"));
        return cells;
    }

    static List<Link> endpointLinks(OperatorVisit visit, String path, Values endpoint) {
        String about = endpoint.raw("url");
        String one = path + "/endpoints/" + endpoint.raw("id");
        boolean isEnabled = endpoint.raw("status").equals("enabled");
        String since = endpoint.has("failing_since") ? endpoint.raw("failing_since") : endpoint.raw("disabled_since");
        Link replay = Link.button(
                        visit.text().of("link.replay"),
                        one + "/replay" + (since.isEmpty() ? "" : "?from=" + ApiRequest.encoded(since)))
                .about(about);
        return isEnabled
                ? may(
                        visit,
                        Role.OPERATE,
                        replay,
                        Link.button(visit.text().of("link.test"), one + "/test").about(about))
                : may(
                        visit,
                        Role.OPERATE,
                        Link.button(visit.text().of("link.enable"), one + "/enable")
                                .about(about));
    }
}
