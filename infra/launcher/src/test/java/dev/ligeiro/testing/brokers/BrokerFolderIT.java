package dev.ligeiro.testing.brokers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.infra.brokers.LocalProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** With {@code sleep} in place of the test JVM, and another {@code sleep} in place of a broker. */
@Execution(ExecutionMode.CONCURRENT)
class BrokerFolderIT {

    private static final Duration CLEANED_WITHIN = Duration.ofSeconds(20);

    private final Process testJvm = sleep();
    private final BrokerFolder folder = BrokerFolder.of(testJvm.toHandle());
    private final LocalBroker broker = new LocalBroker(folder, new Sleeper(folder));

    @AfterEach
    void end() {
        testJvm.destroyForcibly();
        await("the watcher has deleted the folder").atMost(CLEANED_WITHIN).until(() -> !Files.exists(folder.file("")));
    }

    @Test
    void aKilledTestJvmLeavesNeitherBrokerNorData() {
        broker.start();
        broker.kill();
        broker.start();
        ProcessHandle process = ProcessHandle.of(broker.pid()).orElseThrow();
        Path data = folder.file("");
        assertThat(data).exists();

        testJvm.destroyForcibly();

        await().atMost(CLEANED_WITHIN).until(() -> !process.isAlive() && !Files.exists(data));
    }

    private static Process sleep() {
        try {
            return new ProcessBuilder("sleep", "600").start();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private record Sleeper(BrokerFolder folder) implements LocalProcess {

        @Override
        public String name() {
            return "sleeper";
        }

        @Override
        public ChildProcess spawn() {
            return ChildProcess.spawn(name(), List.of("sleep", "600"), Map.of(), folder.file("sleeper.log"));
        }

        @Override
        public boolean ready() {
            return true;
        }
    }
}
