package dev.ligeiro.gateway.operator.console;

import static dev.ligeiro.gateway.operator.console.FormSubject.ENDPOINT;
import static dev.ligeiro.gateway.operator.console.FormSubject.KEY;
import static dev.ligeiro.gateway.operator.console.FormSubject.MERCHANT;
import static dev.ligeiro.gateway.operator.console.FormSubject.PROPOSE;
import static dev.ligeiro.gateway.operator.console.FormSubject.RESOLUTION;
import static dev.ligeiro.gateway.operator.console.FormSubject.TRANSACTION;
import static dev.ligeiro.gateway.operator.console.OperatorConsole.HOME;

import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.html.ApiAnswer;
import dev.ligeiro.gateway.http.html.ApiRequest;
import dev.ligeiro.gateway.http.html.ConsoleHtml;
import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
import dev.ligeiro.gateway.operator.admin.ManagementRoutes;
import dev.ligeiro.gateway.operator.admin.Role;
import dev.ligeiro.gateway.operator.console.Block.Cell;
import dev.ligeiro.gateway.operator.console.Block.Fact;
import dev.ligeiro.gateway.operator.console.Block.Facts;
import dev.ligeiro.gateway.operator.console.Block.Link;
import dev.ligeiro.gateway.operator.console.Block.Notice;
import dev.ligeiro.gateway.operator.console.FormView.Input;
import dev.ligeiro.merchant.ApiKey;
import dev.ligeiro.message.Topics;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * All that operators change in the console. Each change has a page of its own, which says what will happen and asks for a confirmation; its form
 * becomes the JSON body of the route of the admin API, which checks roles and fields and writes the audit.
 */
@Component
class OperatorForms implements ManagementRoutes {

    private static final String REPLAY = ENDPOINT + "/replay";

    /** The refund that a proposal is about; its choices are those under way. */
    private static final String REFUND = "refund";

    /** The form's field with the {@link #fingerprint} of the values that it replaces. */
    private static final String SHOWN = "shown";

    private static final List<Change> CHANGES = List.of(
            post(TRANSACTION + "/approve", Role.MONEY, FormField.reason()).back(TRANSACTION),
            post(TRANSACTION + "/reject", Role.MONEY, FormField.reason())
                    .back(TRANSACTION)
                    .dangerous(),
            new Change(
                            PROPOSE,
                            HttpMethod.POST,
                            "/resolutions",
                            Role.MONEY,
                            List.of(
                                    FormField.hidden("transaction"),
                                    FormField.choice(REFUND),
                                    FormField.hidden("unmatched_payment"),
                                    FormField.choice(
                                                    "decision",
                                                    "",
                                                    "paid",
                                                    "denied",
                                                    "made",
                                                    "failed",
                                                    "assign",
                                                    "credit",
                                                    "keep",
                                                    "return")
                                            .required(),
                                    FormField.text("e2e_id"),
                                    FormField.text("paid_at"),
                                    FormField.reason()))
                    .back("/resolutions"),
            post(RESOLUTION + "/confirm", Role.MONEY, new FormField("reason", FormField.Kind.REASON, false, List.of()))
                    .back("/resolutions")
                    .dangerous(),
            post(RESOLUTION + "/withdraw", Role.MONEY, FormField.reason()).back("/resolutions"),
            post("/breaks/{id}/close", Role.MONEY, FormField.reason()).back("/breaks"),
            new Change(
                            "/dead-letters/redrive",
                            HttpMethod.POST,
                            "/dead-letters/redrive",
                            Role.OPERATE,
                            List.of(
                                    FormField.choice("topic", Topics.COMMANDS, Topics.EVENTS)
                                            .required(),
                                    FormField.lines("ids"),
                                    FormField.check("all")))
                    .back("/dead-letters"),
            post(MERCHANT + "/freeze", Role.OPERATE, FormField.reason())
                    .back(MERCHANT)
                    .dangerous(),
            post(MERCHANT + "/unfreeze", Role.MONEY, FormField.reason()).back(MERCHANT),
            new Change(
                            MERCHANT + "/name",
                            HttpMethod.PATCH,
                            MERCHANT,
                            Role.OPERATE,
                            List.of(FormField.text("name").required(), FormField.text("city")))
                    .back(MERCHANT)
                    .from(MERCHANT),
            put(
                            MERCHANT + "/fees",
                            Role.OPERATE,
                            FormField.text("cashin.percent"),
                            FormField.text("cashin.fixed"),
                            FormField.text("cashout.percent"),
                            FormField.text("cashout.fixed"))
                    .back(MERCHANT)
                    .from(MERCHANT, "/fees"),
            put(
                            MERCHANT + "/limits",
                            Role.OPERATE,
                            FormField.text("cashin.amount_min"),
                            FormField.text("cashin.amount_max"),
                            FormField.text("cashout.amount_min"),
                            FormField.text("cashout.amount_max"),
                            FormField.number("reads_per_second"),
                            FormField.number("writes_per_second"))
                    .back(MERCHANT)
                    .from(MERCHANT, "/limits"),
            put(
                            MERCHANT + "/guard",
                            Role.MONEY,
                            FormField.hidden("mode"),
                            FormField.text("amount_max"),
                            FormField.text("day_max"),
                            FormField.text("night_max"),
                            FormField.number("count_max"),
                            FormField.number("window_seconds"),
                            FormField.text("approval_above"),
                            FormField.check("funds_check"),
                            FormField.lines("allowed_keys"),
                            FormField.lines("allowed_documents"))
                    .back(MERCHANT)
                    .from(MERCHANT + "/guard?mode={mode}"),
            post(KEY + "/rotate", Role.OPERATE, FormField.number("overlap")).back(MERCHANT),
            new Change(KEY + "/revoke", HttpMethod.DELETE, KEY, Role.OPERATE, List.of())
                    .back(MERCHANT)
                    .dangerous(),
            post(
                            REPLAY,
                            Role.OPERATE,
                            FormField.text("from").required(),
                            FormField.text("to").required(),
                            FormField.choice("status", "undelivered", "delivered", "exhausted", "canceled"))
                    .back(MERCHANT),
            post(ENDPOINT + "/test", Role.OPERATE).back(MERCHANT),
            post(ENDPOINT + "/enable", Role.OPERATE).back(MERCHANT),
            new Change(
                            "/stops/route",
                            HttpMethod.PUT,
                            "/route-stop",
                            Role.OPERATE,
                            List.of(
                                    FormField.check("stopped"),
                                    FormField.text("rail").required(),
                                    FormField.choice("operation", "", "cashin", "cashout"),
                                    FormField.reason()))
                    .back("/stops")
                    .dangerous(),
            new Change(
                            "/stops/cashouts",
                            HttpMethod.PUT,
                            "/cashouts-stop",
                            Role.OPERATE,
                            List.of(
                                    FormField.check("stopped"),
                                    FormField.text("rail"),
                                    FormField.text("merchant"),
                                    FormField.reason()))
                    .back("/stops")
                    .dangerous());

    /** The forms whose role, operate or money, depends on the entered values. */
    private static final Set<String> BY_BODY =
            Set.of(MERCHANT + "/limits", KEY + "/rotate", "/stops/route", "/stops/cashouts");

    private static final Duration REPLAYED = Duration.ofDays(1);

    private final OperatorConsole console;
    private final Clock clock;

    OperatorForms(OperatorConsole console, Clock clock) {
        this.console = console;
        this.clock = clock;
    }

    @Override
    public List<Route> routes() {
        return CHANGES.stream()
                .flatMap(change -> Stream.of(
                        console.page(HOME + change.path(), visit -> ask(visit, change)),
                        console.form(HOME + change.path(), (visit, entered) -> send(visit, change, entered))))
                .toList();
    }

    private static Change post(String path, Role role, FormField... fields) {
        return new Change(path, HttpMethod.POST, path, role, List.of(fields));
    }

    private static Change put(String path, Role role, FormField... fields) {
        return new Change(path, HttpMethod.PUT, path, role, List.of(fields));
    }

    /** The form, with today's values, and those of the link that led here. */
    private Mono<ServerResponse> ask(OperatorVisit visit, Change change) {
        requireRole(visit, change);
        return current(visit, change, visit.query("mode")).flatMap(values -> {
            Map<String, String> shown = shown(change, values);
            change.fields().forEach(field -> visit.request()
                    .queryParam(field.name())
                    .ifPresent(given -> shown.put(field.name(), given)));
            if (change.path().equals(REPLAY)) {
                Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
                shown.putIfAbsent("from", now.minus(REPLAYED).toString());
                shown.putIfAbsent("to", now.toString());
            }
            return show(visit, change, HttpStatus.OK, shown, "", Map.of());
        });
    }

    /** The values that the change would replace, in the order of its fields; none if it replaces none. */
    private static Mono<Map<String, String>> current(OperatorVisit visit, Change change, String mode) {
        if (change.source() == null) {
            return Mono.just(Map.of());
        }
        String source = change.source().replace("{mode}", mode.equals("live") ? "live" : "test");
        return visit.read("/admin" + visit.filled(source))
                .map(answer -> answer.at(change.pointer()))
                .map(answer -> {
                    Map<String, String> values = new LinkedHashMap<>();
                    change.fields().forEach(field -> values.put(field.name(), field.shown(answer)));
                    return values;
                });
    }

    private static Map<String, String> shown(Change change, Map<String, String> values) {
        Map<String, String> shown = new LinkedHashMap<>(values);
        shown.put(SHOWN, fingerprint(change, values));
        return shown;
    }

    /** {@code ""} for a change that replaces no values. */
    private static String fingerprint(Change change, Map<String, String> values) {
        return change.source() == null ? "" : ApiKey.hash(String.join("\0", values.values()));
    }

    /**
     * Makes the change if the values to be replaced are still those of the opened form; otherwise shows the form again, with the current values.
     * Of two forms sent within the same milliseconds, the later one wins.
     */
    private Mono<ServerResponse> send(OperatorVisit visit, Change change, Map<String, String> entered) {
        requireRole(visit, change);
        return current(visit, change, entered.getOrDefault("mode", "")).flatMap(values -> {
            Map<String, String> shown = shown(change, values);
            return entered.getOrDefault(SHOWN, "").equals(shown.get(SHOWN))
                    ? make(visit, change, entered)
                    : show(
                            visit,
                            change,
                            HttpStatus.CONFLICT,
                            shown,
                            visit.text().of("form.changed"),
                            Map.of());
        });
    }

    private Mono<ServerResponse> make(OperatorVisit visit, Change change, Map<String, String> entered) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        change.fields().forEach(field -> field.put(body, entered.getOrDefault(field.name(), "")));
        ApiRequest request = new ApiRequest(
                change.method(),
                "/admin" + visit.filled(change.target()),
                change.method() == HttpMethod.DELETE ? null : change.complete(body),
                null);
        return visit.send(request)
                .flatMap(answer -> answer.isSuccess()
                        ? done(visit, change, answer)
                        : show(
                                visit,
                                change,
                                HttpStatus.valueOf(answer.status()),
                                entered,
                                OperatorConsole.explained(visit.text(), answer.code(), answer.detail()),
                                answer.fieldErrors()));
    }

    /** What the operator may not do is not offered. Who comes here anyway learns why. */
    private static void requireRole(OperatorVisit visit, Change change) {
        boolean mayMoney = BY_BODY.contains(change.path()) && visit.may(Role.MONEY);
        if (!visit.may(change.role()) && !mayMoney) {
            throw Problem.of(
                    ProblemCode.INSUFFICIENT_ROLE,
                    "The operator's token lacks the role " + change.role().code());
        }
    }

    private Mono<ServerResponse> done(OperatorVisit visit, Change change, ApiAnswer answer) {
        String key = answer.json().path("key").asString("");
        if (key.isEmpty()) {
            return ConsoleHtml.seeOther(HOME + visit.filled(change.back()) + "?done=" + change.name())
                    .build();
        }
        OperatorText text = visit.text();
        return console.show(
                visit,
                OperatorView.of(
                        text.of("key.title"),
                        new Notice("wait", text.of("key.once")),
                        new Facts(
                                "",
                                List.of(new Fact(text.of("column.key"), new Cell(key, null, "code"))),
                                List.of(Link.button(text.of("key.back"), HOME + visit.filled(change.back()))))));
    }

    private Mono<ServerResponse> show(
            OperatorVisit visit,
            Change change,
            HttpStatus status,
            Map<String, String> values,
            String error,
            Map<String, String> errors) {
        OperatorText text = visit.text();
        String name = change.name();
        return FormSubject.of(visit, change.path(), values).flatMap(subject -> {
            List<Input> inputs = change.fields().stream()
                    .filter(field ->
                            !field.name().equals(REFUND) || !subject.refunds().isEmpty())
                    .map(field -> input(text, name, field, values.getOrDefault(field.name(), ""), errors, subject))
                    .toList();
            String elsewhere = errors.entrySet().stream()
                    .filter(found -> inputs.stream().noneMatch(input -> input.isShown() && input.has(found.getKey())))
                    .map(found -> found.getKey() + ": " + found.getValue())
                    .collect(Collectors.joining("; "));
            FormView form = new FormView(
                    text.of("form." + name + ".title"),
                    text.of("form." + name + ".lead"),
                    values.entrySet().stream()
                            .filter(value -> !value.getValue().isEmpty() && isHidden(change, value.getKey()))
                            .map(Map.Entry::getValue)
                            .collect(Collectors.joining(", ")),
                    subject.facts(),
                    text.of("form." + name + ".button"),
                    change.isDangerous(),
                    HOME + visit.filled(change.back()),
                    text.of("cancel"),
                    elsewhere.isEmpty() ? error : elsewhere,
                    values.getOrDefault(SHOWN, ""),
                    inputs);
            return console.render(
                    visit.request(), visit.operator(), status, form.title(), "operator/form.jte", Map.of("form", form));
        });
    }

    private static boolean isHidden(Change change, String field) {
        return change.fields().stream()
                .anyMatch(one -> one.name().equals(field) && one.kind() == FormField.Kind.HIDDEN);
    }

    private static Input input(
            OperatorText text,
            String form,
            FormField field,
            String value,
            Map<String, String> errors,
            FormSubject subject) {
        String error = errors.entrySet().stream()
                .filter(found -> field.has(found.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("");
        Map<String, String> options = new LinkedHashMap<>(field.name().equals(REFUND) ? subject.refunds() : Map.of());
        field.options()
                .forEach(option -> options.put(
                        option,
                        text.orElse("option." + field.name() + "." + (option.isEmpty() ? "none" : option), option)));
        return new Input(
                field,
                field.kind() == FormField.Kind.HIDDEN ? "" : text.of("field." + field.name()),
                text.orElse("hint." + form + "." + field.name(), text.orElse("hint." + field.name(), "")),
                value,
                error,
                options);
    }

    /**
     * A change.
     *
     * @param path of its page, below {@code /console}
     * @param target the route of the admin API, below {@code /admin}
     * @param back where the page leads afterwards, below {@code /console}
     * @param source the route with today's values; null for none
     * @param pointer where they are in its answer
     */
    private record Change(
            String path,
            HttpMethod method,
            String target,
            Role role,
            List<FormField> fields,
            String back,
            boolean isDangerous,
            @Nullable String source,
            String pointer) {

        Change(String path, HttpMethod method, String target, Role role, List<FormField> fields) {
            this(path, method, target, role, fields, "", false, null, "");
        }

        Change back(String to) {
            return new Change(path, method, target, role, fields, to, isDangerous, source, pointer);
        }

        Change dangerous() {
            return new Change(path, method, target, role, fields, back, true, source, pointer);
        }

        Change from(String route) {
            return from(route, "");
        }

        Change from(String route, String at) {
            return new Change(path, method, target, role, fields, back, isDangerous, route, at);
        }

        /** Of its texts: the path without variables, such as {@code merchants.keys.rotate}. */
        String name() {
            return Stream.of(path.split("/"))
                    .filter(part -> !part.isEmpty() && !part.startsWith("{"))
                    .collect(Collectors.joining("."));
        }

        /** A redrive selects by ids or all, and is a trial unless told otherwise. */
        ObjectNode complete(ObjectNode body) {
            if (path.equals("/dead-letters/redrive")) {
                body.put("dry_run", false);
                if (!body.path("all").asBoolean()) {
                    body.remove("all");
                }
            }
            return body;
        }
    }
}
