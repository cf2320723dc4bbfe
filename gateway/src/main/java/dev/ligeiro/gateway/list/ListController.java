package dev.ligeiro.gateway.list;

import dev.ligeiro.gateway.GatewayProperties;
import dev.ligeiro.gateway.api.Route;
import dev.ligeiro.gateway.api.Routes;
import dev.ligeiro.gateway.auth.Caller;
import dev.ligeiro.gateway.auth.Callers;
import dev.ligeiro.gateway.auth.Scope;
import dev.ligeiro.gateway.http.BaseUrl;
import dev.ligeiro.gateway.http.JsonResponse;
import dev.ligeiro.gateway.http.TransactionJson;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.util.UriComponentsBuilder;
import reactor.core.publisher.Mono;

/** {@code GET /api/v1/transactions}. */
@Component
@Order(2)
class ListController implements Routes {

    private static final String PATH = "/api/v1/transactions";
    /** The parameters that the next page does not have in common with the page. */
    private static final Set<String> OF_THE_PAGE = Set.of("page", "after");

    /** A request waits up to 8 s for counts; the driver allows each query 10 s. */
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final Callers callers;
    private final ListTransactions list;
    private final TransactionJson transactionJson;
    private final BaseUrl baseUrl;
    private final ZoneId timeZone;

    ListController(
            Callers callers,
            ListTransactions list,
            TransactionJson transactionJson,
            BaseUrl baseUrl,
            GatewayProperties properties) {
        this.callers = callers;
        this.list = list;
        this.transactionJson = transactionJson;
        this.baseUrl = baseUrl;
        this.timeZone = properties.timeZone();
    }

    @Override
    public List<Route> routes() {
        return List.of(Route.get(PATH, callers.with(Scope.TRANSACTIONS_READ), TIMEOUT, this::list));
    }

    private Mono<ServerResponse> list(ServerRequest request, Caller caller) {
        ListQuery query = ListQuery.parse(request.queryParams(), timeZone);
        return list.page(caller.tenant(), query).flatMap(page -> JsonResponse.of(HttpStatus.OK, json(page, request)));
    }

    private byte[] json(ListPage page, ServerRequest request) {
        return JsonResponse.object(json -> {
            json.writeArrayPropertyStart("transactions");
            page.items().forEach(item -> transactionJson.write(json, item));
            json.writeEndArray();
            json.writeNumberProperty("current_page", page.number());
            json.writeNumberProperty("last_page", page.last());
            if (page.hasNext()) {
                json.writeStringProperty("next_page_url", nextPage(request, page));
            } else {
                json.writeNullProperty("next_page_url");
            }
            json.writeNumberProperty("total", page.total());
        });
    }

    /**
     * The URL of the request for the next page. The page continues below the last row of this one, so that it costs the same wherever it
     * is, and transactions that are created meanwhile move no row to another page.
     */
    private String nextPage(ServerRequest request, ListPage page) {
        UriComponentsBuilder next = UriComponentsBuilder.fromUriString(baseUrl.of(request));
        next.path(PATH);
        request.queryParams().forEach((name, values) -> {
            String value = values.get(0);
            if (value != null && !value.isBlank() && !OF_THE_PAGE.contains(name)) {
                next.queryParam(name, "{" + name + "}");
            }
        });
        if (page.lastRow() != null) {
            next.queryParam("after", page.lastRow());
        }
        return next.queryParam("page", page.number() + 1)
                .encode()
                .buildAndExpand(request.queryParams().toSingleValueMap())
                .toUriString();
    }
}
