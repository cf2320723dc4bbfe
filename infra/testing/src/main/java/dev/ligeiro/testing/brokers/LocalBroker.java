package dev.ligeiro.testing.brokers;

import static org.awaitility.Awaitility.await;

import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.infra.brokers.LocalProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A broker as a child process of this test JVM. Nothing restarts it. It is killed at the end of the test JVM at the latest, also after
 * Ctrl-C and SIGKILL.
 */
public final class LocalBroker implements TestBroker {

    private static final Duration READY_WITHIN = Duration.ofSeconds(90);
    private static final Duration STOP_GRACE = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(50);

    private final String id = UUID.randomUUID().toString();
    private final LocalProcess process;
    private @Nullable ChildProcess running;

    public LocalBroker(LocalProcess process) {
        this.process = process;
    }

    /** @throws IllegalStateException when it exits; the message shows the end of its log */
    @Override
    public synchronized void start() {
        ChildProcess broker = isRunning() ? unfrozen() : spawn();
        await(process.name() + " answers")
                // MongoDB's driver may throw on a thread of its own when a client is closed soon
                .dontCatchUncaughtExceptions()
                .pollInterval(POLL)
                .atMost(READY_WITHIN)
                .until(() -> !broker.isAlive() || process.ready());
        if (!broker.isAlive()) {
            throw new IllegalStateException(broker.failureSummary());
        }
    }

    private ChildProcess unfrozen() {
        Signal.CONT.send(running().pid());
        return running();
    }

    private ChildProcess spawn() {
        ChildProcess spawned = process.spawn();
        BrokerFolder.ofThisJvm().register(id, spawned);
        running = spawned;
        return spawned;
    }

    @Override
    public synchronized void stop() {
        if (isRunning()) {
            running().stop(STOP_GRACE);
        }
    }

    @Override
    public synchronized void kill() {
        if (isRunning()) {
            running().kill();
        }
    }

    @Override
    public synchronized void freeze() {
        Signal.STOP.send(running().pid());
    }

    /** The pid of the process, also after its end. */
    public synchronized long pid() {
        return running().pid();
    }

    private boolean isRunning() {
        return running != null && running.isAlive();
    }

    private ChildProcess running() {
        if (running == null) {
            throw new IllegalStateException(process.name() + " was never started");
        }
        return running;
    }

    /**
     * The temporary folder of the brokers that a test JVM has started: their data, logs and pids.
     *
     * <p>A watcher, a shell process, kills the brokers and deletes the folder within about two seconds after the end of the test JVM, also
     * after Ctrl-C and SIGKILL.
     */
    static final class BrokerFolder {

        /** {@code kill -0} succeeds for a zombie too, so the state is checked. */
        private static final String WATCHER =
                """
                while kill -0 "$1" 2>/dev/null && ! grep -qs '^State:[[:space:]]*Z' "/proc/$1/status"; do sleep 1; done
                for file in "$2"/*.pid; do kill -9 "$(cat "$file")"; done
                sleep 1
                rm -rf "$2"
                """;

        /** In its own session the watcher gets no signal that is sent to Maven's process group, such as Ctrl-C. */
        private static final String IN_ITS_OWN_SESSION =
                "command -v setsid >/dev/null && exec setsid \"$@\"; exec \"$@\"";

        private static final class OfThisJvm {
            static final BrokerFolder FOLDER = of(ProcessHandle.current());
        }

        private final Path folder;

        private BrokerFolder(Path folder) {
            this.folder = folder;
        }

        static BrokerFolder ofThisJvm() {
            return OfThisJvm.FOLDER;
        }

        /** A new folder, and a watcher that waits for the end of {@code testJvm}. */
        private static BrokerFolder of(ProcessHandle testJvm) {
            try {
                BrokerFolder folder = new BrokerFolder(Files.createTempDirectory("ligeiro-tests-"));
                folder.watch(testJvm);
                return folder;
            } catch (IOException e) {
                throw new UncheckedIOException("The brokers of the tests need a temporary folder", e);
            }
        }

        private void watch(ProcessHandle testJvm) {
            List<String> command = List.of(
                    "/bin/sh",
                    "-c",
                    IN_ITS_OWN_SESSION,
                    "session",
                    "/bin/sh",
                    "-c",
                    WATCHER,
                    "watcher",
                    Long.toString(testJvm.pid()),
                    folder.toString());
            ChildProcess.spawn("watcher", command, Map.of(), file("watcher.log"));
        }

        Path file(String name) {
            return folder.resolve(name);
        }

        /**
         * The watcher will kill {@code process}.
         *
         * @param broker the id of the broker, whose earlier process has ended
         */
        void register(String broker, ChildProcess process) {
            try {
                Files.writeString(file(broker + ".pid"), Long.toString(process.pid()));
            } catch (IOException e) {
                process.kill();
                throw new UncheckedIOException(e);
            }
        }
    }
}
