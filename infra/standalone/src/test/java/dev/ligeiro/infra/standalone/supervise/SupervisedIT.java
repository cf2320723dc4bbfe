package dev.ligeiro.infra.standalone.supervise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.infra.brokers.LocalProcess;
import dev.ligeiro.infra.standalone.terminal.CannotStartException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SupervisedIT {

    private static final Duration GRACE = Duration.ofSeconds(5);

    private final List<ChildProcess> started = new CopyOnWriteArrayList<>();
    private final Path folder;

    SupervisedIT(@TempDir Path folder) {
        this.folder = folder;
    }

    @AfterEach
    void end() {
        started.forEach(ChildProcess::kill);
    }

    @ParameterizedTest
    @ValueSource(strings = {"KILL", "TERM", "SEGV"})
    void startsAgainWhatEndsByAnySignal(String signal) throws Exception {
        Supervised sleeper = supervise("sleep 600");
        sleeper.start();
        send(signal, started.get(0));
        awaitStarts(2);
        assertThat(started.get(1).isAlive()).isTrue();
        assertThat(sleeper.endings()).isEqualTo(1);
        sleeper.stop(GRACE);
        assertThat(started.get(1).isAlive()).isFalse();
    }

    @Test
    void startsAgainWhatEndsByItself() {
        Supervised done = supervise("exit 0");
        done.start();
        awaitStarts(2);
        done.stop(GRACE);
    }

    @Test
    void doesNotStartAgainWhatWasStopped() {
        Supervised sleeper = supervise("sleep 600");
        sleeper.start();
        sleeper.stop(GRACE);
        sleeper.start();
        assertThat(started).hasSize(1);
        assertThat(started.get(0).isAlive()).isFalse();
    }

    @Test
    void killsWhatDoesNotObey() {
        Supervised stubborn = supervise("trap '' TERM; echo deaf; while true; do sleep 1; done");
        stubborn.start();
        await().untilAsserted(() -> assertThat(log()).content().contains("deaf"));
        stubborn.stop(Duration.ofMillis(500));
        assertThat(started.get(0).ending()).isEqualTo("signal 9");
    }

    @Test
    void theTerminalsCtrlCIsNotForTheChildren() throws Exception {
        Supervised sleeper = supervise("exec sleep 600");
        sleeper.start();
        await().until(() -> program(started.get(0)).endsWith("sleep"));
        send("INT", started.get(0));
        send("HUP", started.get(0));
        assertThat(started.get(0).isAlive()).isTrue();
        sleeper.stop(GRACE);
        assertThat(started.get(0).ending()).isEqualTo("signal 15");
    }

    @Test
    void givesUpAStartThatOnlyEndsAndShowsTheLog() {
        Fleet fleet = new Fleet(
                List.of(new Script("echo no such database; exit 3")),
                List.of(new Script("sleep 600")),
                (name, child) -> started.add(child));
        try {
            assertThatThrownBy(fleet::start)
                    .isInstanceOf(CannotStartException.class)
                    .hasMessageContaining("child ended with exit code 3")
                    .hasMessageContaining("no such database");
        } finally {
            fleet.stop();
        }
    }

    private void awaitStarts(int count) {
        await().atMost(Duration.ofSeconds(10)).until(() -> started.size() == count);
    }

    private Supervised supervise(String script) {
        return new Supervised(new Script(script), (name, child) -> started.add(child));
    }

    private Path log() {
        return folder.resolve("child.log");
    }

    private static String program(ChildProcess child) {
        return child.handle().info().command().orElse("");
    }

    private static void send(String signal, ChildProcess child) throws IOException, InterruptedException {
        String pid = Long.toString(child.pid());
        new ProcessBuilder("kill", "-" + signal, pid).start().waitFor();
    }

    private final class Script implements LocalProcess {

        private final String text;

        private Script(String text) {
            this.text = text;
        }

        @Override
        public String name() {
            return "child";
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
