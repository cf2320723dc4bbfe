package dev.ligeiro.processor.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A processor with TLS refuses a mongod without TLS. */
class TlsIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    /** It starts but is not ready, as in an outage of MongoDB. Its consumer is up. */
    @Test
    void aMongodWithoutTlsIsRefused() {
        try (RunningProcessor processor = RunningProcessor.start(
                "spring.mongodb.ssl.enabled=true",
                "ligeiro.mongodb.connect-timeout=1s",
                "ligeiro.mongodb.operation-timeout=1s")) {
            await().atMost(TIMEOUT).untilAsserted(() -> assertThat(processor.get("/actuator/health/consumer"))
                    .contains("\"status\":\"UP\""));

            assertThat(processor.get("/actuator/health/mongo")).contains("\"status\":\"DOWN\"");
            assertThat(processor.get("/actuator/simulator"))
                    .as("out of reach by default")
                    .contains("404");
            assertThat(processor.isReady()).isFalse();
            assertThat(processor.isAlive()).isTrue();
        }
    }
}
