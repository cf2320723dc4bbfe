package dev.ligeiro.gateway.list;

import dev.ligeiro.gateway.GatewayProperties;
import dev.ligeiro.gateway.api.Route;
import dev.ligeiro.gateway.api.Routes;
import dev.ligeiro.gateway.auth.Caller;
import dev.ligeiro.gateway.auth.Callers;
import dev.ligeiro.gateway.auth.Scope;
import dev.ligeiro.gateway.http.JsonResponse;
import dev.ligeiro.gateway.http.TransactionJson;
import java.net.URI;
import java.time.Duration;
import java.util.List;
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
    /** The driver allows each query 10 s, and a page needs up to three queries. */
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final Callers callers;
    private final ListTransactions list;
    private final TransactionJson transactionJson;
    private final GatewayProperties properties;

    ListController(
            Callers callers, ListTransactions list, TransactionJson transactionJson, GatewayProperties properties) {
        this.callers = callers;
        this.list = list;
        this.transactionJson = transactionJson;
        this.properties = properties;
    }

    @Override
    public List<Route> routes() {
        return List.of(Route.get(PATH, callers.with(Scope.TRANSACTIONS_READ), TIMEOUT, this::list));
    }

    private Mono<ServerResponse> list(ServerRequest request, Caller caller) {
        ListQuery query = ListQuery.parse(request.queryParams(), properties.timeZone());
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
                json.writeStringProperty("next_page_url", nextPage(request, page.number() + 1));
            } else {
                json.writeNullProperty("next_page_url");
            }
            json.writeNumberProperty("total", page.total());
        });
    }

    /** The URL of the request with another page number; its start is the configured public URL, if there is one. */
    private String nextPage(ServerRequest request, int page) {
        URI own = request.uri();
        UriComponentsBuilder next = properties.publicUrl() == null
                ? UriComponentsBuilder.newInstance()
                        .scheme(own.getScheme())
                        .host(own.getHost())
                        .port(own.getPort())
                : UriComponentsBuilder.fromUriString(properties.publicUrl());
        next.path(PATH);
        request.queryParams().forEach((name, values) -> {
            String value = values.get(0);
            if (value != null && !value.isBlank() && !name.equals("page")) {
                next.queryParam(name, "{" + name + "}");
            }
        });
        return next.queryParam("page", page)
                .encode()
                .buildAndExpand(request.queryParams().toSingleValueMap())
                .toUriString();
    }
}
