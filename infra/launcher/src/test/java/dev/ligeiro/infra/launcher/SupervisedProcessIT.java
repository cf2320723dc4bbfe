package dev.ligeiro.infra.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.infra.brokers.LocalProcess;
import dev.ligeiro.testing.brokers.Signal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The tests run at the same time, since each waits for the supervisor's pauses of 1 s and more. */
@Execution(ExecutionMode.CONCURRENT)
class SupervisedProcessIT {

    private static final Duration GRACE = Duration.ofSeconds(5);

    private final List<ChildProcess> started = new CopyOnWriteArrayList<>();
    private final Path folder;

    SupervisedProcessIT(@TempDir Path folder) {
        this.folder = folder;
    }

    @AfterEach
    void end() {
        started.forEach(ChildProcess::kill);
    }

    @ParameterizedTest
    @EnumSource(names = {"KILL", "TERM", "SEGV"})
    void restartsAfterAnySignal(Signal signal) {
        SupervisedProcess sleeper = supervise("sleep 600");
        sleeper.start();
        signal.send(started.get(0).pid());
        awaitStarts(2);
        assertThat(started.get(1).isAlive()).isTrue();
        assertThat(sleeper.exits()).isEqualTo(1);
        sleeper.stop(GRACE);
        assertThat(started.get(1).isAlive()).isFalse();
    }

    @Test
    void doesNotRestartAfterAStop() {
        SupervisedProcess sleeper =
                new SupervisedProcess(new Script("stopped", "sleep 600"), (name, child) -> started.add(child));
        sleeper.start();
        sleeper.stop(GRACE);
        sleeper.start();
        awaitEndOfRestarts("stopped");
        assertThat(started).hasSize(1);
        assertThat(started.get(0).isAlive()).isFalse();
    }

    @Test
    void endsAProcessWhosePidCannotBeRecorded() {
        SupervisedProcess sleeper = new SupervisedProcess(new Script("exec sleep 600"), (name, child) -> {
            started.add(child);
            throw new CannotStartException("disk full");
        });
        assertThatThrownBy(sleeper::start).hasMessage("disk full");
        assertThat(started).hasSize(1);
        assertThat(started.get(0).isAlive()).isFalse();
    }

    @Test
    void killsAProcessThatIgnoresSigterm() {
        SupervisedProcess stubborn = supervise("trap '' TERM; echo ignoring; while true; do sleep 1; done");
        stubborn.start();
        await().untilAsserted(() -> assertThat(log()).content().contains("ignoring"));
        stubborn.stop(Duration.ofMillis(500));
        assertThat(started.get(0).exitStatus()).isEqualTo("signal 9");
    }

    @Test
    void ctrlCAndAClosedTerminalDoNotEndChildren() {
        SupervisedProcess sleeper = supervise("exec sleep 600");
        sleeper.start();
        await().until(() -> program(started.get(0)).endsWith("sleep"));
        Signal.INT.send(started.get(0).pid());
        Signal.HUP.send(started.get(0).pid());
        assertThat(started.get(0).isAlive()).isTrue();
        sleeper.stop(GRACE);
        assertThat(started.get(0).exitStatus()).isEqualTo("signal 15");
    }

    @Test
    void givesUpAfterThreeExitsAndShowsTheLog() {
        Supervisor supervisor = new Supervisor(
                List.of(new Script("echo no such database; exit 3")),
                List.of(new Script("sleep 600")),
                List.of(),
                (name, child) -> started.add(child));
        try {
            assertThatThrownBy(supervisor::startBrokers)
                    .isInstanceOf(CannotStartException.class)
                    .hasMessageContaining("child ended with exit code 3")
                    .hasMessageContaining("no such database");
        } finally {
            supervisor.stop();
        }
    }

    private void awaitStarts(int count) {
        await().until(() -> started.size() >= count);
    }

    /** The thread that restarts a process has ended. */
    private static void awaitEndOfRestarts(String name) {
        await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("watch-" + name)));
    }

    private SupervisedProcess supervise(String script) {
        return new SupervisedProcess(new Script(script), (name, child) -> started.add(child));
    }

    private Path log() {
        return folder.resolve("child.log");
    }

    private static String program(ChildProcess child) {
        return child.handle().info().command().orElse("");
    }

    private final class Script implements LocalProcess {

        private final String name;
        private final String text;

        private Script(String text) {
            this("child", text);
        }

        private Script(String name, String text) {
            this.name = name;
            this.text = text;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public ChildProcess spawn() {
            return ChildProcess.spawn(name(), List.of("sh", "-c", text), Map.of(), log());
        }

        @Override
        public boolean ready() {
            return false;
        }
    }
}
