package dev.ligeiro.gateway.operator.console;

import static dev.ligeiro.gateway.operator.console.OperatorConsole.HOME;
import static dev.ligeiro.gateway.operator.console.RowsOf.none;
import static dev.ligeiro.gateway.operator.console.RowsOf.rows;

import dev.ligeiro.gateway.http.GatewayProperties;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
import dev.ligeiro.gateway.operator.admin.ManagementRoutes;
import dev.ligeiro.gateway.operator.attention.StatusChanges;
import dev.ligeiro.gateway.operator.console.Block.Attention;
import dev.ligeiro.gateway.operator.console.Block.AttentionLine;
import dev.ligeiro.gateway.operator.console.Block.Card;
import dev.ligeiro.gateway.operator.console.Block.Cards;
import dev.ligeiro.gateway.operator.console.Block.Cell;
import dev.ligeiro.gateway.operator.console.Block.Fact;
import dev.ligeiro.gateway.operator.console.Block.Facts;
import dev.ligeiro.gateway.operator.console.Block.Group;
import dev.ligeiro.gateway.operator.console.Block.Link;
import dev.ligeiro.gateway.operator.console.Block.Notice;
import dev.ligeiro.message.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.BodyInserters;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

/**
 * {@code /console}: what needs attention first, and all open work. {@code /console/status}: processes, rails, lag, certificates. {@code
 * /console/events} tells both pages when the status has changed.
 */
@Component
class StatusPages implements ManagementRoutes {

    /** The figures of the first page, each with the list that it counts. */
    private static final List<Map.Entry<String, String>> OPEN = List.of(
            Map.entry("approvals", "approvals"),
            Map.entry("unknown_outcomes", "unsettled"),
            Map.entry("unmatched_payments", "unmatched"),
            Map.entry("breaks", "breaks"),
            Map.entry("dead_commands", "dead-letters?topic=" + Topics.COMMANDS),
            Map.entry("dead_events", "dead-letters?topic=" + Topics.EVENTS),
            Map.entry("failing_endpoints", "endpoints"),
            Map.entry("unaccepted", "status"));

    private static final Duration RECONNECT = Duration.ofSeconds(3);

    private final OperatorConsole console;
    private final OperatorSessions sessions;
    private final StatusChanges changes;
    private final GatewayProperties properties;

    StatusPages(
            OperatorConsole console, OperatorSessions sessions, StatusChanges changes, GatewayProperties properties) {
        this.console = console;
        this.sessions = sessions;
        this.changes = changes;
        this.properties = properties;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                console.page(HOME, visit -> visit.read("/admin/status").flatMap(status -> attention(visit, status))),
                console.page(HOME + "/status", visit -> visit.read("/admin/status")
                        .flatMap(status -> status(visit, status))),
                Route.stream(HOME + "/events", this::events));
    }

    private Mono<ServerResponse> attention(OperatorVisit visit, JsonNode status) {
        OperatorText text = visit.text();
        List<AttentionLine> lines = status.path("attention")
                .valueStream()
                .map(item -> line(text, properties.runbooksUrl(), item))
                .toList();
        Block first = lines.isEmpty() ? new Notice("good", text.of("attention.none")) : new Attention(lines);
        List<Card> cards = new ArrayList<>();
        OPEN.forEach(each -> cards.add(card(
                text,
                each.getKey(),
                HOME + "/" + each.getValue(),
                status.path("open").path(each.getKey()))));
        status.path("lag")
                .properties()
                .forEach(lag -> cards.add(new Card(
                        text.of("lag.of", text.code("group", lag.getKey())),
                        text.age(lag.getValue()),
                        "",
                        "",
                        HOME + "/status")));
        OperatorView view = new OperatorView(
                text.of("menu.attention"),
                text.of("as_of", text.time(status.path("as_of"))),
                List.of(first, new Cards(cards)),
                HOME);
        return console.show(visit, view);
    }

    private static AttentionLine line(OperatorText text, @Nullable String runbooks, JsonNode item) {
        String name = item.path("name").asString();
        String severity = item.path("severity").asString();
        String about = item.path("about").asString("");
        String runbook = item.path("runbook").asString();
        String format = text.find("attention." + name);
        return new AttentionLine(
                severity.equals("critical") ? "bad" : "wait",
                text.of("severity." + severity),
                format == null
                        ? item.path("summary").asString()
                        : format.formatted(
                                about,
                                value(
                                        text,
                                        item.path("value"),
                                        item.path("unit").asString(""))),
                item.path("since").isString() ? text.of("since", text.time(item.path("since"))) : "",
                new Cell(text.of("runbook", runbook), runbooks == null ? null : runbooks + "/" + runbook + ".md", ""),
                Link.button(text.of("link.open"), item.path("page").asString()).about(name));
    }

    private static String value(OperatorText text, JsonNode value, String unit) {
        return switch (unit) {
            case "age", "seconds" -> text.age(value);
            case "ratio" -> text.ratio(value);
            default -> text.number(value);
        };
    }

    private static Card card(OperatorText text, String name, String path, JsonNode open) {
        String label = text.of("open." + name);
        if (!open.isObject()) {
            return new Card(label, OperatorText.NONE, text.of("unknown"), "", path);
        }
        long count = open.path("count").asLong();
        String figure = count + (open.path("more").asBoolean() ? "+" : "");
        String note = OperatorText.isGiven(open.path("oldest_seconds"))
                ? text.of("oldest", text.age(open.path("oldest_seconds")))
                : "";
        return new Card(label, figure, note, "", path);
    }

    private Mono<ServerResponse> status(OperatorVisit visit, JsonNode status) {
        OperatorText text = visit.text();
        OperatorView view = new OperatorView(
                text.of("menu.status"),
                text.of("as_of", text.time(status.path("as_of"))),
                List.of(
                        rows(visit, "instances", status.path("instances"), StatusPages::instance, none()),
                        rows(visit, "rails", status.path("rails"), StatusPages::rail, none()),
                        new Group(List.of(
                                new Facts(text.of("table.lag"), ages(text, "group", status.path("lag")), List.of()),
                                facts(text, "due", status.path("due"), StatusPages::due),
                                facts(text, "webhooks", status.path("webhooks"), StatusPages::webhooks),
                                new Facts(
                                        text.of("table.certificates"),
                                        ages(text, "bundle", status.path("certificates")),
                                        List.of())))),
                HOME + "/status");
        return console.show(visit, view);
    }

    private static Facts facts(
            OperatorText text, String name, JsonNode object, Function<Values, Map<String, Cell>> cells) {
        return new Facts(text.of("table." + name), RowsOf.facts(new Values(text, object), cells), List.of());
    }

    /** The members of an object of seconds. */
    private static List<Fact> ages(OperatorText text, String kind, JsonNode object) {
        return object.properties().stream()
                .map(member ->
                        new Fact(text.code(kind, member.getKey()), new Cell(text.age(member.getValue()), null, "")))
                .toList();
    }

    private static Map<String, Cell> instance(Values item) {
        Map<String, Cell> cells = new LinkedHashMap<>();
        cells.put("service", item.plain("service"));
        cells.put("version", item.code("version"));
        cells.put("host", item.plain("host"));
        cells.put("pid", item.number("pid"));
        cells.put("started", item.time("started_at"));
        cells.put("reported", item.span("age_seconds"));
        cells.put("cpu", item.ratio("cpu_usage"));
        cells.put("heap", item.ratio("heap_usage"));
        cells.put("clock", item.span("clock_ahead_seconds"));
        return cells;
    }

    private static Map<String, Cell> rail(Values item) {
        Map<String, Cell> cells = new LinkedHashMap<>();
        cells.put("rail", item.whole("rail"));
        cells.put("breakers", item.number("breakers_open"));
        cells.put("unknown", item.span("unknown_oldest_seconds"));
        cells.put("pool", item.ratio("locations_level"));
        cells.put("token", item.span("token_age_seconds"));
        cells.put("catch_up", item.span("catch_up_age_seconds"));
        cells.put("calls_waiting", item.number("calls_waiting"));
        cells.put("breaks", item.number("breaks_open"));
        cells.put("reconciled", item.span("reconciled_age_seconds"));
        return cells;
    }

    private static Map<String, Cell> due(Values item) {
        Map<String, Cell> cells = new LinkedHashMap<>();
        cells.put("due", item.count("count"));
        cells.put("oldest", item.age("oldest_seconds"));
        return cells;
    }

    private static Map<String, Cell> webhooks(Values item) {
        Map<String, Cell> cells = new LinkedHashMap<>();
        cells.put("due", item.count("due"));
        cells.put("oldest", item.age("oldest_seconds"));
        cells.put("oldest_failing", item.age("oldest_of_failing_seconds"));
        cells.put("lanes", item.count("lanes"));
        cells.put("lanes_open", item.count("lanes_open"));
        cells.put("failing_longest", item.age("failing_longest_seconds"));
        return cells;
    }

    /** Says only that the status has changed; the page fetches it with the rights of its own session. */
    private Mono<ServerResponse> events(ServerRequest request) {
        return sessions.operator(request)
                .switchIfEmpty(Mono.error(() -> Problem.of(ProblemCode.UNAUTHORIZED, "Sign in first")))
                .flatMap(operator -> events());
    }

    private Mono<ServerResponse> events() {
        return ServerResponse.ok()
                .contentType(new MediaType(MediaType.TEXT_EVENT_STREAM, StandardCharsets.UTF_8))
                .cacheControl(CacheControl.noStore())
                // nginx would hold events back
                .header("X-Accel-Buffering", "no")
                .body(BodyInserters.fromServerSentEvents(changes.watch().map(change -> ServerSentEvent.builder("")
                        .event("changed")
                        .retry(RECONNECT)
                        .build())));
    }
}
