package dev.ligeiro.gateway.http.html;

import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.RouteTable;
import dev.ligeiro.gateway.http.problem.ProblemHandler;
import dev.ligeiro.gateway.http.problem.RequestId;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/**
 * Calls the routes of an API inside the process, for the pages of a console. So a page shows and does what the API does, with its
 * validation, its limits, its audit and the rights of the person who is signed in, and there is no second way to change anything.
 */
public final class ApiCalls {

    private final Supplier<HttpHandler> api;

    /** @param routes those of the API; asked for by the first call, since the routes of a console are made together with them */
    public ApiCalls(Supplier<List<Route>> routes, ProblemHandler problems) {
        this.api = SingletonSupplier.of(() -> RouteTable.handler(routes.get(), problems));
    }

    /** The response, a problem included. */
    public Mono<ApiAnswer> send(ServerRequest page, ApiRequest request, Object rights) {
        return Mono.defer(() -> {
            BufferedResponse response = new BufferedResponse();
            // logs and audit name the page's request
            response.getHeaders()
                    .set(RequestId.HEADER, RequestId.of(page.exchange().getResponse()));
            InProcessCall inner =
                    new InProcessCall(page.exchange().getRequest(), request, rights, MediaType.APPLICATION_JSON);
            return api.get().handle(inner, response).then(Mono.fromSupplier(response::answer));
        });
    }

    /** The answer to a GET. Fails with an {@link ApiFailure} for a problem. */
    public Mono<ApiAnswer> read(ServerRequest page, String target, Object rights) {
        return send(page, ApiRequest.get(target), rights)
                .flatMap(answer -> answer.isSuccess() ? Mono.just(answer) : Mono.error(new ApiFailure(answer)));
    }

    /** The API's response as that of the page's route, for downloads of any length. */
    public Mono<ServerResponse> forward(ServerRequest page, ApiRequest request, Object rights, MediaType accept) {
        return ServerResponse.ok().build((exchange, context) -> api.get()
                .handle(new InProcessCall(exchange.getRequest(), request, rights, accept), exchange.getResponse()));
    }
}
