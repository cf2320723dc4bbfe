package dev.ligeiro.processor.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A processor that demands TLS never speaks to a mongod without TLS. */
class TlsIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    /** It starts, as it does while MongoDB is away, and is not ready: the rest of it is, Kafka included. */
    @Test
    void aMongodWithoutTlsIsRefused() {
        try (RunningProcessor processor = RunningProcessor.start("spring.mongodb.ssl.enabled=true")) {
            await().atMost(TIMEOUT).untilAsserted(() -> assertThat(processor.get("/actuator/health/consumer"))
                    .contains("\"status\":\"UP\""));

            assertThat(processor.get("/actuator/health/mongo")).contains("\"status\":\"DOWN\"");
            assertThat(processor.isReady()).isFalse();
            assertThat(processor.isAlive()).isTrue();
        }
    }
}
