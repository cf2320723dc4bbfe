package dev.ligeiro.testing.brokers;

import static org.awaitility.Awaitility.await;

import dev.ligeiro.infra.brokers.LocalProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A broker as a local process. It outlives the test JVM that started it. Its pid is in a file of the {@link Build}, so that each
 * test JVM of the build can stop it and start it again.
 */
final class ProcessBroker implements TestBroker {

    private static final Duration READY_WITHIN = Duration.ofSeconds(90);
    private static final Duration STOP_GRACE = Duration.ofSeconds(30);
    private static final Duration KILLED_WITHIN = Duration.ofSeconds(10);
    private static final Duration POLL = Duration.ofMillis(50);

    private final Build build;
    private final LocalProcess process;
    private final Path pidFile;

    ProcessBroker(Build build, LocalProcess process) {
        this.build = build;
        this.process = process;
        this.pidFile = build.file(process.name() + ".pid");
    }

    @Override
    public void start() {
        build.locked(() -> {
            ProcessHandle running = running().orElseGet(this::spawn);
            signal("CONT", running);
            await(process.name() + " answers")
                    .pollInterval(POLL)
                    .atMost(READY_WITHIN)
                    .failFast(process.name() + " has ended", () -> isGone(running))
                    .until(process::ready);
        });
    }

    private ProcessHandle spawn() {
        ProcessHandle spawned = process.spawn().handle();
        try {
            Files.writeString(pidFile, Long.toString(spawned.pid()));
        } catch (IOException e) {
            spawned.destroyForcibly();
            throw new UncheckedIOException(e);
        }
        return spawned;
    }

    @Override
    public void stop() {
        running().ifPresent(broker -> {
            broker.destroy();
            awaitEnd(broker, STOP_GRACE);
        });
    }

    @Override
    public void kill() {
        running().ifPresent(broker -> {
            broker.destroyForcibly();
            awaitEnd(broker, KILLED_WITHIN);
        });
    }

    @Override
    public void freeze() {
        signal("STOP", running().orElseThrow());
    }

    long pid() {
        return running().orElseThrow().pid();
    }

    private Optional<ProcessHandle> running() {
        try {
            return Files.exists(pidFile)
                    ? ProcessHandle.of(Long.parseLong(Files.readString(pidFile)))
                            .filter(broker -> !isGone(broker))
                    : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void awaitEnd(ProcessHandle broker, Duration limit) {
        await(process.name() + " ends").pollInterval(POLL).atMost(limit).until(() -> isGone(broker));
        try {
            Files.delete(pidFile);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** In a container whose first process does not reap its children, an exited broker of an earlier test JVM stays a zombie. */
    private static boolean isGone(ProcessHandle broker) {
        return !broker.isAlive() || isZombie(broker);
    }

    /** A killed process is a zombie as soon as its main thread has ended, but its port is free only after the last thread. */
    private static boolean isZombie(ProcessHandle broker) {
        Path status = Path.of("/proc", Long.toString(broker.pid()), "status");
        try {
            List<String> lines = Files.exists(status) ? Files.readAllLines(status) : List.of();
            return lines.stream().anyMatch(line -> line.matches("State:\\s*Z.*"))
                    && lines.stream().anyMatch(line -> line.matches("Threads:\\s*[01]"));
        } catch (IOException endedMeanwhile) {
            return true;
        }
    }

    private static void signal(String name, ProcessHandle broker) {
        try {
            int code = new ProcessBuilder("kill", "-" + name, Long.toString(broker.pid()))
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new IllegalStateException("kill -" + name + ": exit code " + code);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
