package dev.ligeiro.gateway.http.problem;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import com.mongodb.MongoSocketReadException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.ServerAddress;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import dev.ligeiro.support.work.RequestBatcher;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.server.ContentTooLargeException;
import org.springframework.web.server.MethodNotAllowedException;
import org.springframework.web.server.NotAcceptableStatusException;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebInputException;
import org.springframework.web.server.UnsupportedMediaTypeStatusException;
import reactor.core.publisher.Mono;

class ProblemsTest {

    static Stream<Arguments> table() {
        return Stream.of(
                Arguments.of(new MongoException("away"), ProblemCode.UNAVAILABLE),
                // seen on 2026-11-23: the messages of a closed MongoDB client, whose gateway was stopping
                Arguments.of(new IllegalStateException("state should be: open"), ProblemCode.UNAVAILABLE),
                Arguments.of(
                        new IllegalStateException("state should be: server session pool is open"),
                        ProblemCode.UNAVAILABLE),
                Arguments.of(new IllegalStateException("state should be: x"), ProblemCode.INTERNAL_ERROR),
                Arguments.of(new MongoTimeoutException("away"), ProblemCode.UNAVAILABLE),
                Arguments.of(new DataAccessResourceFailureException("away"), ProblemCode.UNAVAILABLE),
                Arguments.of(new TimeoutException("away"), ProblemCode.UNAVAILABLE),
                Arguments.of(fullQueue(), ProblemCode.OVERLOADED),
                Arguments.of(
                        new MethodNotAllowedException(HttpMethod.PUT, List.of(HttpMethod.GET)),
                        ProblemCode.METHOD_NOT_ALLOWED),
                Arguments.of(new ServerWebInputException("what?"), ProblemCode.MALFORMED_REQUEST),
                Arguments.of(new ResponseStatusException(HttpStatus.NOT_FOUND), ProblemCode.NOT_FOUND),
                Arguments.of(
                        new NotAcceptableStatusException(List.of(MediaType.APPLICATION_JSON)),
                        ProblemCode.NOT_ACCEPTABLE),
                Arguments.of(
                        new UnsupportedMediaTypeStatusException(
                                MediaType.TEXT_PLAIN, List.of(MediaType.APPLICATION_JSON)),
                        ProblemCode.UNSUPPORTED_MEDIA_TYPE),
                Arguments.of(new ContentTooLargeException(null), ProblemCode.BODY_TOO_LARGE),
                Arguments.of(new ResponseStatusException(HttpStatus.CONFLICT), ProblemCode.MALFORMED_REQUEST),
                Arguments.of(new ResponseStatusException(HttpStatus.BAD_GATEWAY), ProblemCode.INTERNAL_ERROR),
                Arguments.of(new IllegalStateException("a bug"), ProblemCode.INTERNAL_ERROR),
                Arguments.of(new IOException("a bug"), ProblemCode.INTERNAL_ERROR));
    }

    /** The failure of the request that a full batcher refuses. */
    private static Throwable fullQueue() {
        RequestBatcher<Integer, Integer> batcher =
                new RequestBatcher<>(1, 1, 1, Duration.ZERO, requests -> Mono.never());
        batcher.submit(1);
        batcher.submit(2);
        return batcher.submit(3)
                .flatMap(none -> Mono.<Throwable>empty())
                .onErrorResume(Mono::just)
                .blockOptional(Duration.ofSeconds(10))
                .orElseThrow();
    }

    /** The message of an exception is for the log: it may name hosts or hold a caller's data. */
    @ParameterizedTest
    @MethodSource("table")
    void eachExceptionHasItsProblemWithoutItsMessage(Throwable failure, ProblemCode code) {
        assertThat(Problems.of(failure).code()).isEqualTo(code);
        assertThat(failure.getMessage()).isNotBlank();
        assertThat(Problems.of(failure).detail()).doesNotContain(failure.getMessage());
    }

    @Test
    void unavailableComesWithRetryAfter() {
        assertThat(Problems.of(new MongoException("away")).headers()).containsEntry("Retry-After", "2");
    }

    @Test
    void anUnknownMethodIsAnsweredWithTheAllowedOnes() {
        Problem problem =
                Problems.of(new MethodNotAllowedException(HttpMethod.PUT, List.of(HttpMethod.POST, HttpMethod.DELETE)));

        assertThat(problem.headers()).containsEntry("Allow", "DELETE, POST");
    }

    private static final IOException RESET = new IOException("recvAddress(..) failed: Connection reset by peer");

    private final MockServerWebExchange exchange =
            MockServerWebExchange.from(MockServerHttpRequest.post("/api/v1/transaction/pix/cashin"));

    @Test
    void aResetMongodbConnectionIsUnavailable() {
        handle(new MongoSocketReadException("Exception receiving message", new ServerAddress(), RESET));
        assertThat(exchange.getResponse().getStatusCode()).isEqualTo(ProblemCode.UNAVAILABLE.status());
        assertThat(exchange.getResponse().getBodyAsString().block()).contains("\"code\":\"unavailable\"");
    }

    @Test
    void aClientDisconnectHasNoSuccessStatus() {
        handle(RESET);
        assertThat(exchange.getResponse().getStatusCode()).isEqualTo(ProblemHandler.CLIENT_CLOSED);
        assertThat(exchange.getResponse().getBodyAsString().block()).isEmpty();
    }

    private void handle(Throwable failure) {
        new ProblemHandler().handle(exchange, failure).block();
    }
}
