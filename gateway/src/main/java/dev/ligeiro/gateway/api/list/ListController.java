package dev.ligeiro.gateway.api.list;

import dev.ligeiro.gateway.http.GatewayProperties;
import dev.ligeiro.gateway.http.Request;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.Routes;
import dev.ligeiro.gateway.http.auth.Caller;
import dev.ligeiro.gateway.http.auth.Callers;
import dev.ligeiro.gateway.http.limit.UnsentPages;
import dev.ligeiro.gateway.http.response.JsonResponse;
import dev.ligeiro.gateway.http.response.TransactionJson;
import dev.ligeiro.merchant.Scope;
import dev.ligeiro.view.Timestamps;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.springframework.core.annotation.Order;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.util.MultiValueMap;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.util.UriComponentsBuilder;
import reactor.core.publisher.Mono;

/** {@code GET /api/v1/transactions} and {@code GET /api/v1/transactions.csv}. */
@Component
@Order(2)
class ListController implements Routes {

    private static final String PATH = "/api/v1/transactions";
    private static final String PAGE = "page";
    private static final Scope SCOPE = Scope.TRANSACTIONS_READ;
    private static final String AFTER = "after";
    /** Of an export: as the member of this name of a list. */
    private static final String COMPLETE_FROM = "Complete-From";

    /** The parameters that the next page does not have in common with the page. */
    private static final Set<String> OF_THE_PAGE = Set.of(PAGE, AFTER);

    /** A request waits up to 8 s for counts; the driver allows each query 10 s. */
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final Callers callers;
    private final ListTransactions list;
    private final TransactionJson transactionJson;
    private final GatewayProperties properties;
    private final UnsentPages pages;
    private final SendExport send;
    private final CsvLines lines;
    private final Timestamps times;

    ListController(
            Callers callers,
            ListTransactions list,
            TransactionJson transactionJson,
            UnsentPages pages,
            SendExport send,
            CsvLines lines,
            GatewayProperties properties,
            Timestamps times) {
        this.callers = callers;
        this.list = list;
        this.transactionJson = transactionJson;
        this.properties = properties;
        this.pages = pages;
        this.send = send;
        this.lines = lines;
        this.times = times;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                Route.get(PATH, callers.with(SCOPE), TIMEOUT, this::list),
                Route.download(PATH + ".csv", callers.with(SCOPE), new MediaType("text", "csv"), this::export));
    }

    private Mono<ServerResponse> list(Request<Caller> request) {
        Caller caller = request.caller();
        ListQuery query = ListQuery.parse(request.queryParams(), properties.timeZone());
        return list.page(caller.tenant(), query)
                .flatMap(page -> pages.send(caller.tenant(), json(page, request.http())));
    }

    private Mono<ServerResponse> export(Request<Caller> request) {
        Caller caller = request.caller();
        ListQuery query = ListQuery.parseFilters(request.queryParams(), properties.timeZone());
        Mono<Void> stillPermitted = callers.stillPermitted(request.http(), SCOPE);
        return list.present(caller.tenant(), query).flatMap(present -> {
            SendExport.Rows rows =
                    lines.export((id, limit) -> stillPermitted.then(list.below(caller.tenant(), present, id, limit)));
            return ServerResponse.ok()
                    .headers(headers -> Optional.ofNullable(present.completeFrom())
                            .ifPresent(from -> headers.set(COMPLETE_FROM, times.format(from))))
                    .build((exchange, context) ->
                            send.to(exchange.getResponse(), caller, "transactions.csv", SendExport.CSV, rows));
        });
    }

    private byte[] json(ListPage page, ServerRequest request) {
        return JsonResponse.object(json -> {
            json.writeArrayPropertyStart("transactions");
            page.items().forEach(item -> transactionJson.write(json, item));
            json.writeEndArray();
            json.writeNumberProperty("current_page", page.number());
            json.writeNumberProperty("last_page", page.last());
            if (page.hasNext()) {
                json.writeStringProperty("next_page_url", nextPageUrl(request, page));
            } else {
                json.writeNullProperty("next_page_url");
            }
            json.writeNumberProperty("total", page.total());
            if (page.completeFrom() != null) {
                json.writeStringProperty("complete_from", times.format(page.completeFrom()));
            }
        });
    }

    /**
     * The next page continues where this one ends, so that it costs the same wherever it is, and transactions that are created meanwhile
     * move no row to another page.
     */
    private String nextPageUrl(ServerRequest request, ListPage page) {
        MultiValueMap<String, String> parameters = request.queryParams();
        UriComponentsBuilder next = UriComponentsBuilder.fromUriString(properties.baseUrl(request));
        next.path(PATH);
        parameters.forEach((name, values) -> {
            String value = values.get(0);
            if (value != null && !value.isBlank() && !OF_THE_PAGE.contains(name)) {
                next.queryParam(name, "{" + name + "}");
            }
        });
        if (page.end() != null) {
            next.queryParam(AFTER, page.end());
        }
        return next.queryParam(PAGE, Math.min(page.number() + 1, ListQuery.PAGE_MAX))
                .encode()
                .buildAndExpand(parameters.toSingleValueMap())
                .toUriString();
    }
}
