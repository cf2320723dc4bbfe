package dev.ligeiro.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.infra.brokers.Ports;
import dev.ligeiro.testing.http.Api;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A dispatcher that demands TLS never speaks to a mongod without TLS. */
class TlsIT {

    private static final Duration SOON = Duration.ofSeconds(60);

    /** It starts, as it does while MongoDB is away, and is not ready: the rest of it is, Kafka included. */
    @Test
    void aMongodWithoutTlsIsRefused() {
        try (TestEnvironment environment = new TestEnvironment()) {
            environment.createTopic();
            int port = Ports.free();
            environment.startDispatcherWithHttp("management.server.port=" + port, "spring.mongodb.ssl.enabled=true");
            Api health = new Api("http://127.0.0.1:" + port + "/actuator/health", null);
            await().atMost(SOON)
                    .untilAsserted(
                            () -> assertThat(health.get("/consumer").status()).isEqualTo(200));

            assertThat(health.get("/mongo").body()).contains("\"status\":\"DOWN\"");
            assertThat(health.get("/readiness").status()).isEqualTo(503);
            assertThat(health.get("/liveness").status()).isEqualTo(200);
        }
    }
}
