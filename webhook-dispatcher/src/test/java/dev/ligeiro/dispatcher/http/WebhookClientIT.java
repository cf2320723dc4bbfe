package dev.ligeiro.dispatcher.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.ligeiro.fixture.SelfSignedCertificate;
import dev.ligeiro.testing.settings.Settings;
import dev.ligeiro.testing.webhook.WebhookReceiver;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.AttemptOutcome;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLContext;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.SystemDefaultDnsResolver;
import org.apache.hc.core5.ssl.SSLContexts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The client against a real server. */
class WebhookClientIT {

    private static final Tenant TENANT = new Tenant(1);
    private static final Duration WAIT = Duration.ofSeconds(60);
    private static final Duration SHORT_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration LONG_TIMEOUT = Duration.ofSeconds(30);

    private final WebhookReceiver receiver = new WebhookReceiver();
    private final WebhookClient nothingAllowed = client(SystemDefaultDnsResolver.INSTANCE);
    private final WebhookClient loopbackAllowed = client(SystemDefaultDnsResolver.INSTANCE, "127.0.0.1/32", "::1/128");
    /** For responses that do not end. On a busy machine other responses may take longer than it waits. */
    private final WebhookClient impatient =
            client(SHORT_TIMEOUT, SystemDefaultDnsResolver.INSTANCE, "127.0.0.1/32", "::1/128");

    @AfterEach
    void close() {
        nothingAllowed.destroy();
        loopbackAllowed.destroy();
        impatient.destroy();
        receiver.close();
    }

    /** HttpClient could connect to a literal address without its DNS resolver; the rules must apply then too. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1:PORT/",
                "http://localhost:PORT/",
                "http://2130706433:PORT/",
                "http://127.1:PORT/",
                "http://0:PORT/",
                "http://[::1]:PORT/",
                "http://[::ffff:127.0.0.1]:PORT/",
                "http://[0:0:0:0:0:ffff:7f00:1]:PORT/",
                "https://127.0.0.1:PORT/",
                "https://169.254.169.254/latest/meta-data/",
                "https://168.63.129.16/",
                "http://1.1.1.1/"
            })
    void aForbiddenAddressIsNotConnectedTo(String url) {
        assertThat(post(nothingAllowed, url.replace("PORT", port())))
                .isEqualTo(noResponse(AttemptOutcome.REFUSED_ADDRESS));
        assertThat(receiver.received("/")).isEmpty();
    }

    /** Some resolvers read 0177.0.0.1 as 127.0.0.1, others as 177.0.0.1. The rules apply to the address of the connection. */
    @Test
    void anOctalNotationDoesNotReachLoopback() {
        post(nothingAllowed, "http://0177.0.0.1:" + port() + "/");
        assertThat(receiver.received("/")).isEmpty();
    }

    @Test
    void aHostNameIsCheckedByItsAddresses() {
        WebhookClient rebound = client(records("127.0.0.1"));
        assertThat(post(rebound, "http://merchant.example:" + port() + "/"))
                .isEqualTo(noResponse(AttemptOutcome.REFUSED_ADDRESS));
        rebound.destroy();

        WebhookClient mixed = client(records("10.0.0.1", "127.0.0.1"), "127.0.0.1/32");
        assertThat(post(mixed, "http://merchant.example:" + port() + "/")).isEqualTo(PostResult.response(204, null));
        mixed.destroy();
    }

    @Test
    void aConnectionIsKeptAndUsedAgain() {
        for (int i = 0; i < 20; i++) {
            assertThat(post(loopbackAllowed, receiver.url("/kept"))).isEqualTo(PostResult.response(204, null));
        }
        // a response is reported just before its connection returns to the pool, so the next request may open another
        // one
        assertThat(receiver.ports("/kept")).hasSizeLessThan(10);
    }

    @Test
    void theStatusLineDecidesWhateverTheBody() {
        receiver.behave("/long", WebhookReceiver.body(200, new byte[1 << 20]));
        assertThat(post(loopbackAllowed, receiver.url("/long"))).isEqualTo(PostResult.response(200, null));

        CountDownLatch never = new CountDownLatch(1);
        receiver.behave("/unfinished", (exchange, nth) -> {
            exchange.sendResponseHeaders(200, 10);
            exchange.getResponseBody().flush();
            WebhookReceiver.when(never, WebhookReceiver.status(500)).answer(exchange, nth);
        });
        assertThat(post(impatient, receiver.url("/unfinished"))).isEqualTo(PostResult.response(200, null));
    }

    /** The connection of a failure whose body is read is used again, as that of a success. */
    @Test
    void theBeginningOfAFailuresBodyIsKeptAndNothingOfASuccess() {
        receiver.behave("/down", WebhookReceiver.body(500, "database is down".getBytes(StandardCharsets.UTF_8)));
        receiver.behave("/long", WebhookReceiver.body(503, "x".repeat(1 << 20).getBytes(StandardCharsets.UTF_8)));
        receiver.behave("/good", WebhookReceiver.body(200, "thanks".getBytes(StandardCharsets.UTF_8)));
        receiver.behave("/halting", (exchange, nth) -> {
            exchange.sendResponseHeaders(502, 100);
            exchange.getResponseBody().write("bad gate".getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
            WebhookReceiver.when(new CountDownLatch(1), WebhookReceiver.status(500))
                    .answer(exchange, nth);
        });

        for (int i = 0; i < 20; i++) {
            assertThat(post(loopbackAllowed, receiver.url("/down")))
                    .isEqualTo(PostResult.response(500, null).with("database is down"));
            assertThat(post(loopbackAllowed, receiver.url("/long")))
                    .isEqualTo(PostResult.response(503, null).with("x".repeat(1_024)));
        }
        assertThat(post(loopbackAllowed, receiver.url("/good"))).isEqualTo(PostResult.response(200, null));
        assertThat(post(impatient, receiver.url("/halting")))
                .isEqualTo(PostResult.response(502, null).with("bad gate"));
    }

    @Test
    void aMissingResponseTimesOut() {
        receiver.behave("/hangs", WebhookReceiver.when(new CountDownLatch(1), WebhookReceiver.status(200)));
        assertThat(post(impatient, receiver.url("/hangs"))).isEqualTo(noResponse(AttemptOutcome.TIMED_OUT));
    }

    @Test
    void anUnknownHostAndAClosedPortAreUnreachable() throws Exception {
        int closed;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closed = socket.getLocalPort();
        }
        assertThat(post(loopbackAllowed, "http://127.0.0.1:" + closed + "/"))
                .isEqualTo(noResponse(AttemptOutcome.UNREACHABLE));
        assertThat(post(loopbackAllowed, "http://no-such-host.invalid/"))
                .isEqualTo(noResponse(AttemptOutcome.UNREACHABLE));
    }

    /** Their attempts would otherwise fail and use a step of the schedule. */
    @Test
    void lookupsThatOutlastTheirAttemptsLeaveThreadsToOtherTenants() {
        CountDownLatch answered = new CountDownLatch(1);
        WebhookClient client = client(
                SHORT_TIMEOUT,
                new SystemDefaultDnsResolver() {
                    @Override
                    public InetAddress[] resolve(String host) throws UnknownHostException {
                        if (host.endsWith(".example")) {
                            waitFor(answered);
                            throw new UnknownHostException(host);
                        }
                        return super.resolve(host);
                    }
                },
                "127.0.0.1/32");
        List<Throwable> notStarted = new CopyOnWriteArrayList<>();
        List<PostResult> results = Flux.range(0, GuardedConnector.Lookups.PER_TENANT_MAX + 10)
                .flatMap(i -> post(client, TENANT, "http://slow" + i + ".example/")
                        .onErrorResume(failure -> {
                            notStarted.add(failure);
                            return Mono.empty();
                        }))
                .collectList()
                .block(WAIT);

        assertThat(results)
                .hasSize(GuardedConnector.Lookups.PER_TENANT_MAX)
                .containsOnly(noResponse(AttemptOutcome.TIMED_OUT));
        assertThat(notStarted).hasSize(10).hasOnlyElementsOfType(TooManyLookups.class);
        assertThat(post(client, new Tenant(2), receiver.url("/")).block(WAIT))
                .isEqualTo(PostResult.response(204, null));
        answered.countDown();
        client.destroy();
    }

    @Test
    void aReceiverThatClosesTheConnectionIsDisconnected() {
        receiver.behave("/drops", WebhookReceiver.drop());
        assertThat(post(loopbackAllowed, receiver.url("/drops"))).isEqualTo(noResponse(AttemptOutcome.DISCONNECTED));
    }

    @Test
    void aCertificateThatIsNotTrustedIsRefused() throws Exception {
        HttpsServer server = selfSigned();
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
        assertThat(post(
                        loopbackAllowed,
                        "https://127.0.0.1:" + server.getAddress().getPort() + "/"))
                .isEqualTo(noResponse(AttemptOutcome.TLS_FAILED));
        server.stop(0);
    }

    /** More than HttpCore takes of each. */
    @ParameterizedTest
    @CsvSource({"1, 9000", "1, 200000", "16, 8000", "101, 1", "5000, 1", "20000, 100"})
    void theStatusLineDecidesWhateverTheHead(int lines, int length) throws Exception {
        String head = ("X-Long: " + "x".repeat(length) + "\r\n").repeat(lines);
        String received = "HTTP/1.1 200 OK\r\n" + head + "Content-Length: 2\r\n\r\nok";
        String busy = "HTTP/1.1 503 Busy\r\nRetry-After: 7\r\n" + head + "Content-Length: 0\r\n\r\n";
        assertThat(postTo(received)).isEqualTo(PostResult.response(200, null));
        assertThat(postTo(busy)).isEqualTo(PostResult.response(503, "7"));
        assertThat(postOverTlsTo(received)).isEqualTo(PostResult.response(200, null));
        assertThat(postOverTlsTo(busy)).isEqualTo(PostResult.response(503, "7"));
    }

    /** What follows of a head that is too long is no response to the next request. */
    @Test
    void aHeadThatIsTooLongClosesTheConnection() throws Exception {
        String line = "X-Long: " + "x".repeat(8_000) + "\r\n";
        String response =
                "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: keep-alive\r\n" + line.repeat(4) + "\r\n";
        try (DrippingReceiver raw = new DrippingReceiver(response)) {
            for (int i = 0; i < 3; i++) {
                assertThat(post(loopbackAllowed, "http://127.0.0.1:" + raw.port() + "/"))
                        .isEqualTo(PostResult.response(200, null));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"hello\r\n\r\n", "HTTP/1.1 yes\r\n\r\n"})
    void anAnswerWithoutAStatusLineIsDisconnected(String answer) throws Exception {
        assertThat(postTo(answer)).isEqualTo(noResponse(AttemptOutcome.DISCONNECTED));
        assertThat(postTo(answer + "x".repeat(20_000))).isEqualTo(noResponse(AttemptOutcome.DISCONNECTED));
    }

    @Test
    void thousandsOfInformationalResponsesCloseTheConnection() throws Exception {
        String earlyHints = "HTTP/1.1 103 Early Hints\r\n\r\n";
        String end = "HTTP/1.1 204 No Content\r\n\r\n";
        assertThat(postTo(earlyHints.repeat(10) + end)).isEqualTo(PostResult.response(204, null));
        assertThat(postTo(earlyHints.repeat(3_000) + end)).isEqualTo(noResponse(AttemptOutcome.DISCONNECTED));
        assertThat(postOverTlsTo(earlyHints.repeat(10) + end)).isEqualTo(PostResult.response(204, null));
        assertThat(postOverTlsTo(earlyHints.repeat(3_000) + end)).isEqualTo(noResponse(AttemptOutcome.DISCONNECTED));
    }

    /** @param response the bytes that the receiver sends */
    private PostResult postTo(String response) throws Exception {
        try (DrippingReceiver raw = new DrippingReceiver(response)) {
            return post(loopbackAllowed, "http://127.0.0.1:" + raw.port() + "/");
        }
    }

    private static PostResult postOverTlsTo(String response) throws Exception {
        WebhookClient client = client(LONG_TIMEOUT, SystemDefaultDnsResolver.INSTANCE, tls(), "127.0.0.1/32");
        try (DrippingReceiver raw = new DrippingReceiver(response, tls().getServerSocketFactory())) {
            return post(client, "https://127.0.0.1:" + raw.port() + "/");
        } finally {
            client.destroy();
        }
    }

    private static HttpsServer selfSigned() throws Exception {
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls()));
        return server;
    }

    /** Of a server with a certificate that it has signed itself, and of a client that trusts those. */
    private static SSLContext tls() throws Exception {
        KeyStore own = SelfSignedCertificate.keyStore();
        return SSLContexts.custom()
                .loadKeyMaterial(own, SelfSignedCertificate.PASSWORD.toCharArray())
                .loadTrustMaterial((chain, type) -> chain.length == 1)
                .build();
    }

    private String port() {
        return Integer.toString(URI.create(receiver.url("/")).getPort());
    }

    private static PostResult post(WebhookClient client, String url) {
        return Objects.requireNonNull(post(client, TENANT, url).block(WAIT));
    }

    private static Mono<PostResult> post(WebhookClient client, Tenant tenant, String url) {
        return client.post(tenant, URI.create(url), Map.of("webhook-id", "evt_1"), new byte[] {'{', '}'});
    }

    private static WebhookClient client(DnsResolver dns, String... allowedNetworks) {
        return client(LONG_TIMEOUT, dns, allowedNetworks);
    }

    private static WebhookClient client(Duration totalTimeout, DnsResolver dns, String... allowedNetworks) {
        return client(totalTimeout, dns, SSLContexts.createDefault(), allowedNetworks);
    }

    private static WebhookClient client(
            Duration totalTimeout, DnsResolver dns, SSLContext tls, String... allowedNetworks) {
        return new WebhookClient(
                Settings.of(
                        WebhookProperties.class,
                        "ligeiro.webhook.allowed-networks=" + String.join(",", allowedNetworks),
                        "ligeiro.webhook.connect-timeout=" + totalTimeout.toMillis() + "ms",
                        "ligeiro.webhook.total-timeout=" + totalTimeout.toMillis() + "ms",
                        "ligeiro.webhook.lease=30m"),
                dns,
                tls);
    }

    private static PostResult noResponse(AttemptOutcome outcome) {
        return PostResult.none(outcome);
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private static DnsResolver records(String... records) {
        return new DnsResolver() {
            @Override
            public InetAddress[] resolve(String host) throws UnknownHostException {
                InetAddress[] addresses = new InetAddress[records.length];
                for (int i = 0; i < records.length; i++) {
                    addresses[i] = InetAddress.getByName(records[i]);
                }
                return addresses;
            }

            @Override
            public String resolveCanonicalHostname(String host) {
                return host + Arrays.toString(records);
            }
        };
    }
}
