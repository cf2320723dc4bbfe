package dev.ligeiro.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoTimeoutException;
import dev.ligeiro.gateway.http.Route.Body;
import dev.ligeiro.gateway.http.Route.UnknownOutcome;
import dev.ligeiro.gateway.http.problem.ProblemHandler;
import dev.ligeiro.gateway.http.request.Sender;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatusCode;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.http.server.reactive.MockServerHttpResponse;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

class RouteTest {

    private static final Duration LIMIT = Duration.ofSeconds(8);

    private static final UnknownOutcome UNKNOWN = new UnknownOutcome("It may be done", "look at it");

    private final List<Route> routes = Stream.of(
                    Route.of(
                            HttpMethod.POST,
                            "/things",
                            RouteTest::caller,
                            Body.REQUIRED,
                            request -> ServerResponse.status(201).build()),
                    Route.of(
                            HttpMethod.PATCH,
                            "/things/{id}",
                            RouteTest::caller,
                            Body.REQUIRED,
                            request -> Mono.never()),
                    Route.idempotent(
                            "/things/{id}/slow",
                            RouteTest::caller,
                            Body.OPTIONAL,
                            LIMIT,
                            UNKNOWN,
                            request -> Mono.never()),
                    Route.idempotent(
                            "/keyed/lost",
                            RouteTest::caller,
                            Body.REQUIRED,
                            LIMIT,
                            UNKNOWN,
                            request -> Mono.error(new MongoTimeoutException("away"))),
                    Route.page("/slow-page", request -> Mono.never(), (request, failure) -> ServerResponse.status(503)
                            .bodyValue(failure.getClass().getSimpleName())))
            .flatMap(Route::withHead)
            .toList();

    /** Each row corrects the first fault of the row above, so the next fault decides the response. */
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "PATCH, /nothing, -,       text/html,        text/plain,       {,             404",
                "PATCH, /things,  -,       text/html,        text/plain,       {,             405",
                "POST,  /things,  -,       text/html,        text/plain,       {,             401",
                "POST,  /things,  limited, text/html,        text/plain,       {,             403",
                "POST,  /things,  full,    text/html,        text/plain,       {,             406",
                "POST,  /things,  full,    application/json, text/plain,       {,             415",
                "POST,  /things,  full,    application/json, application/json, {,             400",
                "POST,  /things,  full,    application/json, application/json, {\"field\":1}, 201",
            })
    void checksRunInTheDocumentedOrder(
            String method,
            String path,
            @Nullable String key,
            String accept,
            String contentType,
            String body,
            int status) {
        MockServerHttpRequest.BodyBuilder request = MockServerHttpRequest.method(HttpMethod.valueOf(method), path)
                .header("Accept", accept)
                .header("Content-Type", contentType);
        if (key != null) {
            request.header("Authorization", key);
        }

        assertThat(respond(request.body(body)).getStatusCode()).isEqualTo(HttpStatusCode.valueOf(status));
    }

    @Test
    void aHandlerThatExceedsTheTimeLimitIsUnavailable() {
        assertTimesOut(request(HttpMethod.PATCH, "/things/7").body("{}"), Route.TIMEOUT);
    }

    @Test
    void aRouteCanHaveItsOwnTimeLimit() {
        assertTimesOut(request(HttpMethod.POST, "/things/7/slow").build(), LIMIT);
    }

    @Test
    void aPageThatExceedsTheTimeLimitShowsThatItFailed() {
        MockServerHttpResponse response =
                assertTimesOut(request(HttpMethod.GET, "/slow-page").build(), Route.TIMEOUT);

        assertThat(response.getBodyAsString().block()).isEqualTo("TimeoutException");
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            delimiter = '|',
            value = {
                "-  | It may be done. Before you repeat the request, look at it; a request with an Idempotency-Key can be repeated safely",
                "k1 | It may be done. Repeat the request with the same Idempotency-Key",
            })
    void anUnknownOutcomeSaysWhatToDo(@Nullable String key, String detail) {
        MockServerHttpRequest.BodyBuilder request = request(HttpMethod.POST, "/keyed/lost");
        if (key != null) {
            request.header("Idempotency-Key", key);
        }

        MockServerHttpResponse response = respond(request.body("{}"));

        assertThat(response.getStatusCode()).isEqualTo(HttpStatusCode.valueOf(503));
        assertThat(response.getHeaders().getFirst("Retry-After")).isEqualTo("2");
        assertThat(response.getBodyAsString().block()).contains("\"detail\":\"" + detail + "\"");
    }

    private MockServerHttpResponse assertTimesOut(MockServerHttpRequest request, Duration limit) {
        MockServerHttpResponse response = new MockServerHttpResponse();
        StepVerifier.withVirtualTime(
                        () -> RouteTable.handler(routes, new ProblemHandler()).handle(request, response))
                .expectSubscription()
                .expectNoEvent(limit.minusMillis(1))
                .thenAwait(Duration.ofMillis(1))
                .verifyComplete();
        assertThat(response.getStatusCode()).isEqualTo(HttpStatusCode.valueOf(503));
        return response;
    }

    private MockServerHttpResponse respond(MockServerHttpRequest request) {
        MockServerHttpResponse response = new MockServerHttpResponse();
        RouteTable.handler(routes, new ProblemHandler())
                .handle(request, response)
                .block();
        return response;
    }

    private static MockServerHttpRequest.BodyBuilder request(HttpMethod method, String path) {
        return MockServerHttpRequest.method(method, path)
                .header("Authorization", "full")
                .header("Content-Type", "application/json");
    }

    private static Mono<Key> caller(ServerRequest request) {
        String key = request.headers().firstHeader("Authorization");
        if (key == null) {
            return Mono.error(Problem.of(ProblemCode.UNAUTHORIZED, "no key"));
        }
        return key.equals("full")
                ? Mono.just(new Key(key))
                : Mono.error(Problem.of(ProblemCode.INSUFFICIENT_SCOPE, "a key without the scope"));
    }

    private record Key(String name) implements Sender {

        @Override
        public Object bodyShare() {
            return name;
        }
    }
}
