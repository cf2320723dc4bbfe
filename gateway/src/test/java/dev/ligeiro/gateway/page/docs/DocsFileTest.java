package dev.ligeiro.gateway.page.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.testing.log.CapturedLogs;
import io.netty.buffer.Unpooled;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetector.Level;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DocsFileTest {

    private static final Duration REPORTED_MAX = Duration.ofSeconds(20);

    private final Level before = ResourceLeakDetector.getLevel();

    @BeforeEach
    void trackEveryBuffer() {
        ResourceLeakDetector.setLevel(Level.PARANOID);
    }

    @AfterEach
    void trackAsBefore() {
        ResourceLeakDetector.setLevel(before);
    }

    /** The detector reports the buffer that is leaked after the content, so it has looked at both. */
    @Test
    void contentOfAClosedGatewayIsNoLeak() {
        try (CapturedLogs logs = new CapturedLogs()) {
            assertThat(DocsFile.of(new byte[100]).length()).isEqualTo(100);
            leak();

            await().atMost(REPORTED_MAX).until(() -> {
                System.gc();
                Unpooled.directBuffer(1).release();
                return logs.errors().stream().anyMatch(line -> line.contains("DocsFileTest.leak"));
            });

            assertThat(logs.errors()).noneMatch(line -> line.contains("DocsFile.of"));
        }
    }

    private static void leak() {
        Unpooled.directBuffer(1);
    }
}
