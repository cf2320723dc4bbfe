package dev.ligeiro.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.infra.brokers.Ports;
import dev.ligeiro.infra.client.Api;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A dispatcher with TLS refuses a mongod without TLS. */
class TlsIT {

    private static final Duration SOON = Duration.ofSeconds(60);

    /** It starts but is not ready, as in an outage of MongoDB. Its consumer is up. */
    @Test
    void aMongodWithoutTlsIsRefused() {
        try (TestEnvironment environment = new TestEnvironment()) {
            environment.events().createTopic();
            int port = Ports.free();
            // the events of other tests cannot be stored: a stop would wait for their batches
            environment.startDispatcherWithHttp(
                    "management.server.port=" + port,
                    "spring.mongodb.ssl.enabled=true",
                    "spring.lifecycle.timeout-per-shutdown-phase=1s");
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
