package dev.ligeiro.gateway.http.problem;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoSocketReadException;
import com.mongodb.ServerAddress;
import dev.ligeiro.support.problem.ProblemCode;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;

class ProblemHandlerTest {

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
