package dev.ligeiro.gateway.list;

import dev.ligeiro.gateway.GatewayProperties;
import dev.ligeiro.gateway.http.Answers;
import dev.ligeiro.gateway.http.Routes;
import dev.ligeiro.gateway.http.TransactionAnswers;
import dev.ligeiro.gateway.merchant.Callers;
import dev.ligeiro.gateway.merchant.Scope;
import java.net.URI;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.util.UriComponentsBuilder;
import reactor.core.publisher.Mono;

/** {@code GET /api/v1/transactions} (specification §4.4). */
@Component
@Order(2)
class ListController implements Routes {

    private static final String PATH = "/api/v1/transactions";

    private final Callers callers;
    private final ListTransactions list;
    private final TransactionAnswers answers;
    private final GatewayProperties properties;

    ListController(Callers callers, ListTransactions list, TransactionAnswers answers, GatewayProperties properties) {
        this.callers = callers;
        this.list = list;
        this.answers = answers;
        this.properties = properties;
    }

    @Override
    public RouterFunction<ServerResponse> routes() {
        return RouterFunctions.route()
                .GET(PATH, this::list)
                .route(RequestPredicates.path(PATH), Answers.onlyAllows(HttpMethod.GET))
                .build();
    }

    private Mono<ServerResponse> list(ServerRequest request) {
        return callers.of(request, Scope.TRANSACTIONS_READ).flatMap(caller -> {
            Answers.requireAcceptsJson(request);
            ListQuery query = ListQuery.parse(request.queryParams(), properties.timeZone());
            return list.page(caller.tenant(), query).flatMap(page -> Answers.json(HttpStatus.OK, json(page, request)));
        });
    }

    private byte[] json(ListPage page, ServerRequest request) {
        return Answers.object(json -> {
            json.writeArrayPropertyStart("transactions");
            page.items().forEach(item -> answers.write(json, item));
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

    /** The request's own address with the filters as given, on the configured public address where there is one. */
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
