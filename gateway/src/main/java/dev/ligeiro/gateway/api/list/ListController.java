package dev.ligeiro.gateway.api.list;

import dev.ligeiro.gateway.http.GatewayProperties;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.Routes;
import dev.ligeiro.gateway.http.auth.Caller;
import dev.ligeiro.gateway.http.auth.Callers;
import dev.ligeiro.gateway.http.auth.Scope;
import dev.ligeiro.gateway.http.limit.UnsentPages;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** {@code GET /api/v1/transactions}. */
@Component
@Order(2)
class ListController implements Routes {

    static final String PATH = "/api/v1/transactions";
    /** A request waits up to 8 s for counts; the driver allows each query 10 s. */
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final Callers callers;
    private final ListTransactions list;
    private final ListPageJson pageJson;
    private final UnsentPages pages;
    private final ZoneId timeZone;

    ListController(
            Callers callers,
            ListTransactions list,
            ListPageJson pageJson,
            UnsentPages pages,
            GatewayProperties properties) {
        this.callers = callers;
        this.list = list;
        this.pageJson = pageJson;
        this.pages = pages;
        this.timeZone = properties.timeZone();
    }

    @Override
    public List<Route> routes() {
        return List.of(Route.get(PATH, callers.with(Scope.TRANSACTIONS_READ), TIMEOUT, this::list));
    }

    private Mono<ServerResponse> list(ServerRequest request, Caller caller) {
        ListQuery query = ListQuery.parse(request.queryParams(), timeZone);
        return list.page(caller.tenant(), query)
                .flatMap(page -> pages.send(caller.tenant(), pageJson.of(page, request)));
    }
}
