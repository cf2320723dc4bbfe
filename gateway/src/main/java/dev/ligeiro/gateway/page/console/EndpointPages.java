package dev.ligeiro.gateway.page.console;

import static dev.ligeiro.gateway.page.console.MerchantConsole.HOME;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.ligeiro.gateway.http.GatewayProperties;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.Routes;
import dev.ligeiro.gateway.http.html.ApiAnswer;
import dev.ligeiro.gateway.http.html.ApiFailure;
import dev.ligeiro.gateway.http.html.ApiRequest;
import dev.ligeiro.gateway.http.html.ConsoleHtml;
import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
import dev.ligeiro.gateway.page.console.Answers.DeliveryList;
import dev.ligeiro.gateway.page.console.Answers.EndpointItem;
import dev.ligeiro.gateway.page.console.Answers.EndpointList;
import dev.ligeiro.gateway.page.console.Answers.ReplayItem;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The webhook endpoints, one endpoint with its deliveries, and the forms that change it or send again. */
@Component
@Order(8)
class EndpointPages implements Routes {

    private static final String ALL = "/endpoints";
    private static final String ONE = ALL + "/{id}";
    private static final String API = "/api/v1/webhooks";
    private static final List<String> STATUSES =
            List.of("undelivered", "scheduled", "delivered", "exhausted", "canceled");
    private static final List<String> REPLAYED = List.of("undelivered", "delivered", "exhausted", "canceled");
    private static final List<String> ACTIONS = List.of("test", "rotate", "enable", "disable");
    private static final Pattern ONCE = Pattern.compile("[0-9a-f-]{36}");
    private static final DateTimeFormatter LOCAL = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm");
    private static final Duration SECOND_CLICK_MAX = Duration.ofMinutes(1);
    private static final int FORMS_KEPT_MAX = 500;

    private final MerchantConsole console;
    private final GatewayProperties properties;
    private final Clock clock;

    /** The API takes no idempotency key here: a second click gets the answer to the first one, such as the new secret. */
    private final AsyncCache<String, ApiAnswer> sent = Caffeine.newBuilder()
            .expireAfterWrite(SECOND_CLICK_MAX)
            .maximumSize(FORMS_KEPT_MAX)
            .buildAsync();

    EndpointPages(MerchantConsole console, GatewayProperties properties, Clock clock) {
        this.console = console;
        this.properties = properties;
        this.clock = clock;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                console.page(ALL, this::list),
                console.page(ONE, visit -> show(visit, Map.of(), null)),
                console.form(ONE + "/replay", this::replay),
                console.page(ONE + "/replays/{replay_id}", this::progress),
                console.form(ONE + "/deliveries/{delivery_id}/redeliver", this::redeliver),
                console.page(ONE + "/{action}", visit -> confirm(visit, action(visit), null)),
                console.form(ONE + "/{action}", this::change));
    }

    private static String target(ConsoleVisit visit) {
        return API + "/" + visit.path("id");
    }

    private Mono<ServerResponse> list(ConsoleVisit visit) {
        return visit.read(API, EndpointList.class)
                .flatMap(list -> console.respond(
                        visit,
                        visit.text().text("endpoints.heading"),
                        "endpoints",
                        Map.of("endpoints", list.webhooks())));
    }

    /**
     * @param values what was entered for a replay
     * @param refused the API's refusal of it; null for none
     */
    private Mono<ServerResponse> show(ConsoleVisit visit, Map<String, String> values, @Nullable ApiAnswer refused) {
        String query = OverviewPages.query(visit, List.of("status", "after"));
        return Mono.zip(
                        visit.read(target(visit), EndpointItem.class),
                        visit.read(target(visit) + "/deliveries?" + query, DeliveryList.class))
                .flatMap(found -> {
                    LocalDateTime now = LocalDateTime.ofInstant(clock.instant(), properties.timeZone())
                            .truncatedTo(ChronoUnit.MINUTES);
                    Map<String, Object> parameters = new HashMap<>(Map.of(
                            "endpoint",
                            found.getT1(),
                            "page",
                            found.getT2(),
                            "status",
                            visit.query("status"),
                            "statuses",
                            STATUSES,
                            "replayed",
                            REPLAYED,
                            "from",
                            values.getOrDefault("from", LOCAL.format(now.minusDays(1))),
                            "to",
                            values.getOrDefault("to", LOCAL.format(now.plusMinutes(1))),
                            "chosen",
                            values.getOrDefault("status", "undelivered"),
                            "errors",
                            refused == null ? Map.of() : refused.fieldErrors(),
                            "once",
                            UUID.randomUUID().toString()));
                    if (refused != null && refused.status() != 422) {
                        parameters.put("refusal", visit.text().code("problem", refused.code()));
                    }
                    return console.respond(
                            visit,
                            refused == null ? HttpStatus.OK : HttpStatus.valueOf(refused.status()),
                            visit.text().text("endpoint.heading"),
                            "endpoint",
                            parameters);
                });
    }

    private Mono<ServerResponse> replay(ConsoleVisit visit, Map<String, String> values) {
        ObjectNode body = JsonNodeFactory.instance
                .objectNode()
                .put("from", time(values.getOrDefault("from", "")))
                .put("to", time(values.getOrDefault("to", "")))
                .put("status", values.getOrDefault("status", ""));
        return once(visit, values, ApiRequest.post(target(visit) + "/replay", body))
                .flatMap(answer -> {
                    if (answer.isSuccess()) {
                        String id = answer.json().path("id").asString("");
                        return ConsoleHtml.seeOther(HOME + ALL + "/" + visit.path("id") + "/replays/" + id)
                                .build();
                    }
                    return refused(answer) ? show(visit, values, answer) : Mono.error(new ApiFailure(answer));
                });
    }

    /** A time of the form in the installation's zone; the text itself if it is none, which the API refuses. */
    private String time(String local) {
        try {
            return DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(
                    LocalDateTime.parse(local).atZone(properties.timeZone()).toOffsetDateTime());
        } catch (DateTimeParseException malformed) {
            return local;
        }
    }

    private Mono<ServerResponse> progress(ConsoleVisit visit) {
        return Mono.zip(
                        visit.read(target(visit), EndpointItem.class),
                        visit.read(target(visit) + "/replays/" + visit.path("replay_id"), ReplayItem.class))
                .flatMap(found -> console.respond(
                        visit,
                        visit.text().text("replay.heading"),
                        "replay",
                        Map.of("endpoint", found.getT1(), "replay", found.getT2())));
    }

    private Mono<ServerResponse> redeliver(ConsoleVisit visit, Map<String, String> values) {
        return once(
                        visit,
                        values,
                        ApiRequest.post(target(visit) + "/deliveries/" + visit.path("delivery_id") + "/redeliver"))
                .flatMap(answer -> {
                    if (answer.isSuccess()) {
                        return done(visit, "redelivered");
                    }
                    return refused(answer) ? show(visit, Map.of(), answer) : Mono.error(new ApiFailure(answer));
                });
    }

    /** @throws Problem 404 for an unknown one */
    private static String action(ConsoleVisit visit) {
        String action = visit.request().pathVariable("action");
        if (!ACTIONS.contains(action)) {
            throw Problem.of(ProblemCode.NOT_FOUND, "There is no such action");
        }
        return action;
    }

    private Mono<ServerResponse> confirm(ConsoleVisit visit, String action, @Nullable ApiAnswer refused) {
        return visit.read(target(visit), EndpointItem.class).flatMap(endpoint -> {
            Map<String, Object> parameters = new HashMap<>(Map.of(
                    "endpoint",
                    endpoint,
                    "action",
                    action,
                    "once",
                    UUID.randomUUID().toString()));
            if (refused != null) {
                parameters.put("refusal", visit.text().code("problem", refused.code()));
            }
            return console.respond(
                    visit,
                    refused == null ? HttpStatus.OK : HttpStatus.valueOf(refused.status()),
                    visit.text().text("endpoint_action." + action),
                    "endpoint_confirm",
                    parameters);
        });
    }

    private Mono<ServerResponse> change(ConsoleVisit visit, Map<String, String> values) {
        String action = action(visit);
        ObjectNode enabled = JsonNodeFactory.instance.objectNode().put("enabled", action.equals("enable"));
        ApiRequest call =
                switch (action) {
                    case "test" -> ApiRequest.post(target(visit) + "/test");
                    case "rotate" -> ApiRequest.post(target(visit) + "/rotate-secret");
                    default -> ApiRequest.patch(target(visit), enabled);
                };
        return once(visit, values, call).flatMap(answer -> {
            if (!answer.isSuccess()) {
                return refused(answer) ? confirm(visit, action, answer) : Mono.error(new ApiFailure(answer));
            }
            return action.equals("rotate")
                    ? console.respond(
                            visit,
                            visit.text().text("secret.heading"),
                            "secret",
                            Map.of("endpoint", answer.as(EndpointItem.class)))
                    : done(visit, "endpoint_" + action);
        });
    }

    private static Mono<ServerResponse> done(ConsoleVisit visit, String what) {
        return ConsoleHtml.seeOther(HOME + ALL + "/" + visit.path("id") + "?done=" + what)
                .build();
    }

    private static boolean refused(ApiAnswer answer) {
        return answer.status() == 409 || answer.status() == 422;
    }

    private Mono<ApiAnswer> once(ConsoleVisit visit, Map<String, String> values, ApiRequest call) {
        String form = values.getOrDefault("once", "");
        if (!ONCE.matcher(form).matches()) {
            return visit.send(call);
        }
        String key = visit.session().id() + " " + call.target() + " " + form;
        return Mono.fromFuture(
                () -> sent.get(key, (unsent, executor) -> visit.send(call).toFuture()), true);
    }
}
