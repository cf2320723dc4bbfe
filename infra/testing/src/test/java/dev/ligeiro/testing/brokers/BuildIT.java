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

/** With {@code sleep} in place of Maven, and another {@code sleep} in place of a broker. */
@Execution(ExecutionMode.CONCURRENT)
class BuildIT {

    private static final Duration CLEANED_WITHIN = Duration.ofSeconds(20);

    private final Process maven = sleep();
    private final Build build = Build.of(maven.toHandle());
    private final ProcessBroker broker = new ProcessBroker(build, new Sleeper(build));

    @AfterEach
    void end() {
        maven.destroyForcibly();
        await("the watcher has deleted the folder").atMost(CLEANED_WITHIN).until(() -> !Files.exists(build.file("")));
    }

    @Test
    void aSecondTestJvmFindsTheBrokerOfTheFirst() {
        broker.start();
        ProcessBroker ofSecondJvm = new ProcessBroker(Build.of(maven.toHandle()), new Sleeper(build));

        ofSecondJvm.start();

        assertThat(ofSecondJvm.pid()).isEqualTo(broker.pid());
    }

    @Test
    void aSecondTestJvmStartsABrokerThatWasKilled() {
        broker.start();
        long killed = broker.pid();
        broker.kill();

        ProcessBroker ofSecondJvm = new ProcessBroker(Build.of(maven.toHandle()), new Sleeper(build));
        ofSecondJvm.start();

        assertThat(ofSecondJvm.pid()).isNotEqualTo(killed);
        assertThat(broker.pid()).isEqualTo(ofSecondJvm.pid());
    }

    @Test
    void aKilledBuildLeavesNeitherBrokerNorData() {
        broker.start();
        ProcessHandle process = ProcessHandle.of(broker.pid()).orElseThrow();
        Path folder = build.file("");
        assertThat(folder).exists();

        maven.destroyForcibly();

        await().atMost(CLEANED_WITHIN).until(() -> !process.isAlive() && !Files.exists(folder));
    }

    private static Process sleep() {
        try {
            return new ProcessBuilder("sleep", "600").start();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private record Sleeper(Build build) implements LocalProcess {

        @Override
        public String name() {
            return "sleeper";
        }

        @Override
        public ChildProcess spawn() {
            return ChildProcess.spawn(name(), List.of("sleep", "600"), Map.of(), build.file("sleeper.log"));
        }

        @Override
        public boolean ready() {
            return true;
        }
    }
}
