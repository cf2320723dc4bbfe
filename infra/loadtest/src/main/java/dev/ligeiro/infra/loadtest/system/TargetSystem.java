package dev.ligeiro.infra.loadtest.system;

import dev.ligeiro.infra.brokers.DeepDelete;
import dev.ligeiro.infra.brokers.Ports;
import dev.ligeiro.infra.client.DemoEnv;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The system under test, known by its home. {@link #close} stops a system that this load test started and deletes its home; it leaves
 * any other system running.
 */
public final class TargetSystem implements AutoCloseable {

    /** The first start builds Ligeiro. */
    private static final Duration START_MAX = Duration.ofMinutes(15);
    /** {@code infra/run} takes at most 60 s to stop. */
    private static final Duration STOP_MAX = Duration.ofSeconds(70);

    private static final Duration POLL = Duration.ofMillis(100);
    private static final int TAIL_LINES = 15;

    private final Path home;
    private final Path log;
    private final @Nullable Process launcher;

    private TargetSystem(Path home, @Nullable Process launcher) {
        this.home = home;
        this.log = logOf(home);
        this.launcher = launcher;
    }

    /** @throws CannotRunException when no system runs in this home */
    public static TargetSystem attach(Path home) {
        TargetSystem system = new TargetSystem(home, null);
        if (!Files.exists(system.envFile())) {
            throw new CannotRunException(
                    system.envFile() + " does not exist: start the system with infra/run --home " + home);
        }
        return system;
    }

    /**
     * Starts {@code infra/run} on free ports and returns when the system is ready.
     *
     * @param home a folder that does not exist
     * @param javaHome the JDK of all processes; null for that of this process
     * @param options further options for {@code infra/run}
     */
    public static TargetSystem start(Path root, Path home, @Nullable Path javaHome, List<String> options) {
        List<String> command =
                new ArrayList<>(List.of(root.resolve("infra/run").toString(), "--home", home.toString()));
        addPort(command, options, "--port", 1);
        addPort(command, options, "--management-port", 3);
        addPort(command, options, "--kafka-port", 2);
        addPort(command, options, "--mongodb-port", 1);
        command.addAll(options);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(logOf(home).toFile());
        builder.environment()
                .put(
                        "JAVA_HOME",
                        javaHome == null
                                ? System.getProperty("java.home")
                                : javaHome.toAbsolutePath().toString());
        try {
            Files.createDirectories(home.toAbsolutePath().getParent());
            Process launcher = builder.start();
            TargetSystem system = new TargetSystem(home, launcher);
            Runtime.getRuntime().addShutdownHook(new Thread(system::close, "stop"));
            system.awaitReady(launcher);
            return system;
        } catch (IOException e) {
            throw new UncheckedIOException("infra/run cannot be started", e);
        }
    }

    public Path home() {
        return home;
    }

    /** The current contents of the file: pids change when a process is restarted. */
    public DemoEnv env() {
        return DemoEnv.read(envFile());
    }

    /** Processes that outlive the launcher's time limit are killed by pid. */
    @Override
    public synchronized void close() {
        if (launcher == null || !launcher.isAlive()) {
            return;
        }
        List<ProcessHandle> all = Stream.concat(launcher.descendants(), Stream.of(launcher.toHandle()))
                .toList();
        launcher.destroy();
        try {
            launcher.waitFor(STOP_MAX.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        all.forEach(ProcessHandle::destroyForcibly);
        try {
            DeepDelete.delete(home);
            Files.deleteIfExists(log);
        } catch (IOException e) {
            System.err.println(home + " could not be deleted: " + e);
        }
    }

    private void awaitReady(Process started) throws IOException {
        Waits.until(() -> Files.exists(envFile()) || !started.isAlive(), POLL, START_MAX);
        if (!Files.exists(envFile())) {
            List<String> lines = Files.readAllLines(log);
            close();
            throw new CannotRunException("infra/run did not start the system; its output ends with:\n"
                    + String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size())));
        }
    }

    private Path envFile() {
        return home.resolve("demo.env");
    }

    private static Path logOf(Path home) {
        return home.resolveSibling(home.getFileName() + ".log");
    }

    /** Adds free ports, unless the caller gives this option: {@code infra/run} refuses an option that is given twice. */
    private static void addPort(List<String> command, List<String> options, String name, int inARow) {
        if (options.stream().noneMatch(option -> option.equals(name) || option.startsWith(name + "="))) {
            command.addAll(List.of(name, Integer.toString(Ports.freeInARow(inARow))));
        }
    }
}
