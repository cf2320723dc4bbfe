package dev.ligeiro.gateway.api.list.export;

import dev.ligeiro.gateway.api.list.ListQuery;
import dev.ligeiro.gateway.api.list.ListTransactions;
import dev.ligeiro.gateway.http.GatewayProperties;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.Routes;
import dev.ligeiro.gateway.http.auth.Caller;
import dev.ligeiro.gateway.http.auth.Callers;
import dev.ligeiro.merchant.Scope;
import java.time.ZoneId;
import java.util.List;
import org.springframework.core.annotation.Order;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** {@code GET /api/v1/transactions.csv}: all transactions of a list. */
@Component
@Order(2)
class ExportController implements Routes {

    private static final String PATH = "/api/v1/transactions.csv";
    private static final Scope SCOPE = Scope.TRANSACTIONS_READ;

    private final Callers callers;
    private final SendExport send;
    private final ListTransactions transactions;
    private final CsvLines lines;
    private final ZoneId timeZone;

    ExportController(
            Callers callers,
            SendExport send,
            ListTransactions transactions,
            CsvLines lines,
            GatewayProperties properties) {
        this.callers = callers;
        this.send = send;
        this.transactions = transactions;
        this.lines = lines;
        this.timeZone = properties.timeZone();
    }

    @Override
    public List<Route> routes() {
        return List.of(Route.download(PATH, callers.with(SCOPE), new MediaType("text", "csv"), this::export));
    }

    private Mono<ServerResponse> export(ServerRequest request, Caller caller) {
        ListQuery query = ListQuery.parseFilters(request.queryParams(), timeZone);
        Mono<Void> stillPermitted = callers.stillPermitted(request, SCOPE);
        Export export = new Export(
                (id, limit) -> stillPermitted.then(transactions.below(caller.tenant(), query, id, limit)), lines);
        return ServerResponse.ok()
                .build((exchange, context) -> send.to(exchange.getResponse(), caller, "transactions.csv", export));
    }
}
