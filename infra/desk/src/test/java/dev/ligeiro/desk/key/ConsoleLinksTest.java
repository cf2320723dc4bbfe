package dev.ligeiro.desk.key;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ConsoleLinksTest {

    private static final byte[] LINK =
            "{\"id\":\"1\",\"url\":\"https://console.example/enter/abc\",\"expires_at\":\"2026-03-10 14:35:00\"}"
                    .getBytes(StandardCharsets.UTF_8);

    @Test
    void aLinkIsMadeWithTheKeyAndNoneIfTheGatewayRefusesOrIsAway() throws IOException {
        HttpServer gateway = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        gateway.createContext("/api/v1/console-sessions", exchange -> {
            boolean isKnown = exchange.getRequestMethod().equals("POST")
                    && "Bearer sk_test_known"
                            .equals(exchange.getRequestHeaders().getFirst("Authorization"));
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(isKnown ? 201 : 401, isKnown ? LINK.length : -1);
            if (isKnown) {
                exchange.getResponseBody().write(LINK);
            }
            exchange.close();
        });
        gateway.start();
        ConsoleLinks links =
                new ConsoleLinks("http://localhost:" + gateway.getAddress().getPort());
        try {
            assertThat(links.make("sk_test_known")).isEqualTo("https://console.example/enter/abc");
            assertThat(links.make("sk_test_other")).isNull();
        } finally {
            gateway.stop(0);
        }
        assertThat(links.make("sk_test_known")).isNull();
    }
}
