package dev.ligeiro.dispatcher.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.testing.settings.Settings;
import dev.ligeiro.transaction.Tenant;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.apache.hc.client5.http.SystemDefaultDnsResolver;
import org.apache.hc.core5.ssl.SSLContexts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;

/**
 * Receivers that send a byte every 50 ms and would go on for hours. A time-out closes their connections, so an endpoint has about as many
 * open ones as attempts.
 */
class DripIT {

    private static final Duration WAIT = Duration.ofSeconds(60);
    private static final Duration TOTAL_TIMEOUT = Duration.ofMillis(400);
    private static final int POSTS = 20;
    private static final int AT_ONCE = 10;

    private final WebhookClient client = new WebhookClient(
            Settings.of(
                    WebhookProperties.class,
                    "ligeiro.webhook.allowed-networks=127.0.0.1/32",
                    "ligeiro.webhook.connect-timeout=60s",
                    "ligeiro.webhook.total-timeout=" + TOTAL_TIMEOUT.toMillis() + "ms",
                    "ligeiro.webhook.in-flight-per-endpoint-max=" + AT_ONCE),
            SystemDefaultDnsResolver.INSTANCE,
            SSLContexts.createDefault());

    @AfterEach
    void close() {
        client.destroy();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "HTTP/1.1 200 OK\r\nX: ", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2710\r\n"})
    void aTimeOutClosesAConnectionWhoseResponseDrips(String start) throws Exception {
        closesAll("http", start);
    }

    /** The start of a TLS record of 16 KB (RFC 8446 §5.1) with a ServerHello. HttpClient's cancel does not close such a connection. */
    @ParameterizedTest
    @ValueSource(strings = {"\u0016\u0003\u0003@\0\u0002\0\0F\u0003\u0003"})
    void aTimeOutClosesAConnectionWhoseTlsHandshakeDrips(String start) throws Exception {
        closesAll("https", start);
    }

    private void closesAll(String scheme, String start) throws Exception {
        try (DrippingReceiver dripping = new DrippingReceiver(start)) {
            URI url = URI.create(scheme + "://127.0.0.1:" + dripping.port() + "/");
            Flux.range(0, POSTS)
                    .flatMap(
                            number ->
                                    client.post(new Tenant(1), url, Map.of("webhook-id", "evt_" + number), new byte[2]),
                            AT_ONCE)
                    .blockLast(WAIT);

            await().atMost(WAIT).until(() -> dripping.open() == 0);
            assertThat(dripping.accepted()).isEqualTo(POSTS);
            // the receiver notices a close with the byte after the next, or later on a busy machine
            assertThat(dripping.mostOpen()).isBetween(AT_ONCE, POSTS - 1);
        }
    }
}
