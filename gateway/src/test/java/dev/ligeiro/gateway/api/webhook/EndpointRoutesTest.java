package dev.ligeiro.gateway.api.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.TestCallers;
import dev.ligeiro.gateway.http.Route.Body;
import dev.ligeiro.gateway.http.RouteTable;
import dev.ligeiro.gateway.http.auth.Caller;
import dev.ligeiro.gateway.http.limit.TestBoundedReads;
import dev.ligeiro.support.problem.Problem;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpMethod;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.reactive.function.server.HandlerStrategies;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Creates use the same MongoDB connections, so a merchant cannot have as many of these requests at once as it likes. */
class EndpointRoutesTest {

    private static final String ID = "019cd827-d553-7abc-9def-0123456789ac";
    private static final Duration ANSWER_MAX = Duration.ofSeconds(10);

    private final Sinks.One<ServerResponse> answer = Sinks.one();
    private int handled;
    private final EndpointRoutes routes = new EndpointRoutes(
            request -> Mono.just(caller(request)),
            TestBoundedReads.oneAtATime(),
            (tenant, id) -> Mono.empty(),
            change -> Mono.empty(),
            Clock.systemUTC());
    private final RouterFunction<ServerResponse> router = RouteTable.of(List.of(
            routes.get("/", request -> handle()),
            routes.page("/page", request -> handle()),
            routes.change(HttpMethod.POST, "/{id}", Body.EMPTY, "post", request -> handle()),
            routes.change(HttpMethod.PATCH, "/{id}", Body.REQUIRED, "patch", request -> handle())));

    @ParameterizedTest
    @ValueSource(strings = {"GET /", "POST /" + ID, "PATCH /" + ID})
    void aRequestIsRefusedWhileTheMerchantsRequestsTakeAllPlaces(String second) {
        send("GET /", 1).subscribe();

        assertThat(status(second, 1).block(ANSWER_MAX)).isEqualTo(429);
        assertThat(handled).as("only the first one has begun").isEqualTo(1);

        answer.tryEmitValue(ServerResponse.noContent().build().block());
        assertThat(status(second, 1).block(ANSWER_MAX)).isEqualTo(204);
    }

    @Test
    void aSlowPageTakesNoPlaceOfAChange() {
        send("GET /page", 1).subscribe();
        assertThat(status("GET /page", 1).block(ANSWER_MAX)).isEqualTo(429);

        CompletableFuture<Integer> change = status("PATCH /" + ID, 1).toFuture();

        answer.tryEmitValue(ServerResponse.noContent().build().block());
        assertThat(change).succeedsWithin(ANSWER_MAX).isEqualTo(204);
    }

    @Test
    void anotherMerchantHasItsOwnPlaces() {
        send("PATCH /" + ID, 1).subscribe();
        CompletableFuture<Integer> other = status("PATCH /" + ID, 2).toFuture();
        answer.tryEmitValue(ServerResponse.noContent().build().block());

        assertThat(other).succeedsWithin(ANSWER_MAX).isEqualTo(204);
    }

    private Mono<ServerResponse> handle() {
        handled++;
        return answer.asMono();
    }

    private Mono<Integer> status(String route, int merchant) {
        return send(route, merchant)
                .map(response -> response.statusCode().value())
                .onErrorResume(
                        Problem.class,
                        refusal -> Mono.just(refusal.code().status().value()));
    }

    private Mono<ServerResponse> send(String route, int merchant) {
        String[] methodAndPath = route.split(" ");
        ServerRequest request = ServerRequest.create(
                MockServerWebExchange.from(
                        MockServerHttpRequest.method(HttpMethod.valueOf(methodAndPath[0]), methodAndPath[1])
                                .header("Content-Type", "application/json")
                                .header("Merchant", Integer.toString(merchant))
                                .body("{}")),
                HandlerStrategies.withDefaults().messageReaders());
        return router.route(request).flatMap(handler -> handler.handle(request));
    }

    private static Caller caller(ServerRequest request) {
        return TestCallers.ofMerchant(
                Integer.parseInt(request.headers().asHttpHeaders().getFirst("Merchant")));
    }
}
