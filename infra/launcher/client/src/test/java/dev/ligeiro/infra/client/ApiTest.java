package dev.ligeiro.infra.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** With an HTTP server in this JVM that records the requests and sends the same response to all of them. */
class ApiTest {

    private final List<String> requests = new ArrayList<>();
    private HttpServer server;
    private int status = 201;
    private String answer = "{\"id\":\"m1\",\"transaction\":[{\"id\":\"t1\"}]}";

    @BeforeEach
    void startServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stopServer() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        requests.add("%s %s %s %s"
                .formatted(
                        exchange.getRequestMethod(),
                        exchange.getRequestURI(),
                        exchange.getRequestHeaders().getFirst("Authorization"),
                        new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
        byte[] body = answer.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private Api api() {
        return new Api("http://127.0.0.1:" + server.getAddress().getPort(), "secret");
    }

    @Test
    void sendsAStringAsItIs() {
        new Api(api().baseUrl(), null).post("/x", "{broken");
        assertThat(requests).containsExactly("POST /x null {broken");
    }

    @Test
    void namesRequestStatusAndAnswerOfAnUnexpectedStatus() {
        status = 422;
        answer = "{\"code\":\"invalid\"}";
        AdminApi admin = new AdminApi(api());

        assertThatThrownBy(() -> admin.createMerchant(Map.of()))
                .isInstanceOf(ApiException.class)
                .hasMessage(
                        "POST %s/admin/merchants: status 422 (expected: 201): %s".formatted(api().baseUrl(), answer));
    }

    @Test
    void namesTheRequestThatGotNoAnswer() {
        server.stop(0);
        assertThatThrownBy(() -> api().get("/x"))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("GET " + api().baseUrl() + "/x: no answer");
    }

    @Test
    void showsNoTokenInMessages() {
        assertThat(api().toString()).doesNotContain("secret");
    }
}
