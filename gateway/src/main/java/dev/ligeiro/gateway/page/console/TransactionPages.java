package dev.ligeiro.gateway.page.console;

import static dev.ligeiro.gateway.page.console.MerchantConsole.HOME;

import dev.ligeiro.gateway.http.GatewayProperties;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.Routes;
import dev.ligeiro.gateway.http.html.ApiAnswer;
import dev.ligeiro.gateway.http.html.ApiFailure;
import dev.ligeiro.gateway.http.html.ApiRequest;
import dev.ligeiro.gateway.http.html.ConsoleHtml;
import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.page.console.Answers.DeliveryList;
import dev.ligeiro.gateway.page.console.Answers.EndpointList;
import dev.ligeiro.gateway.page.console.Answers.HistoryList;
import dev.ligeiro.gateway.page.console.Answers.OneTransaction;
import dev.ligeiro.gateway.page.console.Answers.RefundList;
import dev.ligeiro.gateway.page.console.Answers.SentTo;
import dev.ligeiro.gateway.page.console.Answers.TransactionItem;
import dev.ligeiro.gateway.page.console.Answers.TransactionList;
import dev.ligeiro.merchant.Scope;
import dev.ligeiro.transaction.Coded;
import dev.ligeiro.transaction.Status;
import java.net.URI;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The list of transactions, one transaction with all that belongs to it, and the forms that change it. */
@Component
@Order(8)
class TransactionPages implements Routes {

    private static final String ALL = "/transactions";
    private static final String ONE = ALL + "/{id}";
    private static final String API_ONE = "/api/v1/transaction/";
    /** As many pages of deliveries as a merchant may read at once. */
    private static final int ENDPOINTS_AT_ONCE = 4;

    private static final List<String> FILTERS = List.of(
            "status",
            "name_document",
            "initial_date",
            "final_date",
            "reference",
            "identifier",
            "phone",
            "pix_key",
            "platform");
    private static final List<String> LISTED = List.of(
            "status",
            "name_document",
            "initial_date",
            "final_date",
            "reference",
            "identifier",
            "phone",
            "pix_key",
            "platform",
            "after",
            "page");
    private static final List<String> STATUSES =
            Arrays.stream(Status.values()).map(Coded::code).toList();

    private final MerchantConsole console;
    private final LiveTransactions live;
    private final GatewayProperties properties;

    TransactionPages(MerchantConsole console, LiveTransactions live, GatewayProperties properties) {
        this.console = console;
        this.live = live;
        this.properties = properties;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                console.page(ALL, this::list),
                console.page(
                        ALL + ".csv",
                        visit -> visit.download("/api/v1/transactions.csv?" + OverviewPages.query(visit, FILTERS))),
                console.page(ONE, this::show),
                Route.stream(HOME + ONE + "/events", request -> console.visit(request)
                        .flatMap(visit -> live.stream(visit, visit.path("id")))
                        .onErrorResume(failure -> console.failed(request, failure))),
                console.page(ONE + "/{action}", visit -> confirm(visit, action(visit), Map.of(), null)),
                console.form(ONE + "/{action}", this::change));
    }

    private Mono<ServerResponse> list(ConsoleVisit visit) {
        String query = OverviewPages.query(visit, LISTED);
        return visit.send(ApiRequest.get("/api/v1/transactions?" + query)).flatMap(answer -> {
            boolean isInvalid = answer.status() == 422;
            if (!isInvalid && !answer.isSuccess()) {
                return Mono.error(new ApiFailure(answer));
            }
            TransactionList list =
                    isInvalid ? new TransactionList(List.of(), 1, 1, null, 0) : answer.as(TransactionList.class);
            Map<String, Object> parameters = new HashMap<>(Map.of(
                    "list",
                    list,
                    "values",
                    OverviewPages.values(visit, FILTERS),
                    "errors",
                    answer.fieldErrors(),
                    "statuses",
                    STATUSES,
                    "query",
                    OverviewPages.query(visit, FILTERS)));
            if (list.nextPageUrl() != null) {
                parameters.put(
                        "next",
                        HOME + ALL + "?" + URI.create(list.nextPageUrl()).getRawQuery());
            }
            return console.respond(
                    visit,
                    isInvalid ? HttpStatus.UNPROCESSABLE_CONTENT : HttpStatus.OK,
                    visit.text().text("transactions.heading"),
                    "transactions",
                    parameters);
        });
    }

    private Mono<ServerResponse> show(ConsoleVisit visit) {
        String id = visit.path("id");
        return Mono.zip(
                        one(visit, id),
                        visit.read(API_ONE + id + "/history", HistoryList.class),
                        visit.read(API_ONE + id + "/refunds", RefundList.class),
                        deliveries(visit, id))
                .flatMap(found -> {
                    TransactionItem transaction = found.getT1();
                    Map<String, Object> parameters = Map.of(
                            "transaction",
                            transaction,
                            "history",
                            found.getT2().history(),
                            "refunds",
                            found.getT3().refunds(),
                            "sent",
                            found.getT4(),
                            "showsDeliveries",
                            visit.may(Scope.WEBHOOKS_MANAGE),
                            "actions",
                            TransactionActions.offered(visit, transaction).stream()
                                    .map(TransactionActions::code)
                                    .toList(),
                            "url",
                            properties.baseUrl(visit.request()));
                    return console.respond(visit, title(visit, transaction), "transaction", parameters);
                });
    }

    private static String title(ConsoleVisit visit, TransactionItem transaction) {
        return visit.text().text("operation." + transaction.operation()) + " "
                + visit.text().amount(transaction.amount());
    }

    private static Mono<TransactionItem> one(ConsoleVisit visit, String id) {
        return visit.read(API_ONE + id, OneTransaction.class)
                .map(one -> one.transaction().get(0));
    }

    private static Mono<List<SentTo>> deliveries(ConsoleVisit visit, String id) {
        if (!visit.may(Scope.WEBHOOKS_MANAGE)) {
            return Mono.just(List.of());
        }
        return visit.read("/api/v1/webhooks", EndpointList.class)
                .flatMapMany(all -> Flux.fromIterable(all.webhooks()))
                .flatMapSequential(
                        endpoint -> visit.read(
                                        "/api/v1/webhooks/" + endpoint.id() + "/deliveries?transaction_id=" + id,
                                        DeliveryList.class)
                                .map(page -> new SentTo(endpoint, page.deliveries())),
                        ENDPOINTS_AT_ONCE)
                .filter(sent -> !sent.deliveries().isEmpty())
                .collectList();
    }

    /** @throws Problem 404 for an unknown one */
    private static TransactionActions action(ConsoleVisit visit) {
        return Arrays.stream(TransactionActions.values())
                .filter(action -> action.code().equals(visit.request().pathVariable("action")))
                .findFirst()
                .orElseThrow(Problem::transactionNotFound);
    }

    /**
     * The page that asks for the confirmation.
     *
     * @param values what was entered
     * @param refused the API's refusal of them; null at first
     */
    private Mono<ServerResponse> confirm(
            ConsoleVisit visit, TransactionActions action, Map<String, String> values, @Nullable ApiAnswer refused) {
        return one(visit, visit.path("id")).flatMap(transaction -> {
            Map<String, Object> parameters = new HashMap<>(Map.of(
                    "transaction",
                    transaction,
                    "action",
                    action.code(),
                    "fields",
                    action.fields(),
                    "values",
                    values,
                    "errors",
                    refused == null ? Map.of() : refused.fieldErrors(),
                    "once",
                    values.getOrDefault("once", UUID.randomUUID().toString()),
                    "isOffered",
                    TransactionActions.offered(visit, transaction).contains(action)));
            if (refused != null && refused.status() != 422) {
                parameters.put("refusal", visit.text().code("problem", refused.code()));
            }
            return console.respond(
                    visit,
                    refused == null ? HttpStatus.OK : HttpStatus.valueOf(refused.status()),
                    visit.text().text("action." + action.code()),
                    "confirm",
                    parameters);
        });
    }

    /** The key of the form makes a second click, or a repeated request, the same one. */
    private Mono<ServerResponse> change(ConsoleVisit visit, Map<String, String> values) {
        TransactionActions action = action(visit);
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        action.fields().stream()
                .filter(field -> !values.getOrDefault(field, "").isBlank())
                .forEach(field -> body.put(field, decimal(field, values.getOrDefault(field, ""))));
        ApiRequest call = action.fields().isEmpty()
                ? ApiRequest.post(action.target(visit.path("id")))
                : ApiRequest.post(action.target(visit.path("id")), body);
        return visit.send(
                        call.once(values.getOrDefault("once", UUID.randomUUID().toString())))
                .flatMap(answer -> {
                    if (!answer.isSuccess()) {
                        return answer.status() == 409 || answer.status() == 422
                                ? confirm(visit, action, values, answer)
                                : Mono.error(new ApiFailure(answer));
                    }
                    String done = answer.status() == 202 ? "queued" : action.code();
                    return ConsoleHtml.seeOther(HOME + ALL + "/" + visit.path("id") + "?done=" + done)
                            .build();
                });
    }

    /** People in Brazil write a comma. */
    private static String decimal(String field, String text) {
        return field.equals("amount") && text.matches("[0-9.]*,[0-9]{1,2}")
                ? text.replace(".", "").replace(',', '.')
                : text;
    }
}
