package dev.ligeiro.infra.loadtest;

import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.infra.brokers.DeepDelete;
import dev.ligeiro.infra.brokers.Polling;
import dev.ligeiro.infra.brokers.Ports;
import dev.ligeiro.infra.client.DemoEnv;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The system under test, known by its home. {@link #close} stops a system that this load test started and deletes its home; it leaves
 * any other system running.
 */
final class TargetSystem implements AutoCloseable {

    /** The first start builds Ligeiro. */
    private static final Duration START_MAX = Duration.ofMinutes(15);
    /** {@code infra/run} takes at most 60 s to stop, and with {@code --train} some minutes more. */
    private static final Duration STOP_MAX = Duration.ofMinutes(15);

    private final Path home;
    private final @Nullable ChildProcess launcher;

    private TargetSystem(Path home, @Nullable ChildProcess launcher) {
        this.home = home;
        this.launcher = launcher;
    }

    /** @throws CannotRunException when no system runs in this home */
    static TargetSystem attach(Path home) {
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
     * @param home an absolute path of a folder that does not exist
     * @param javaHome the JDK of all processes; null: the one that {@code infra/run} takes
     * @param options further options for {@code infra/run}
     */
    static TargetSystem start(Path root, Path home, @Nullable Path javaHome, List<String> options) {
        List<String> command =
                new ArrayList<>(List.of(root.resolve("infra/run").toString(), "--home", home.toString()));
        addPort(command, options, "--port", 1);
        addPort(command, options, "--management-port", 3);
        addPort(command, options, "--kafka-port", 2);
        addPort(command, options, "--mongodb-port", 1);
        command.addAll(options);
        Map<String, String> environment = javaHome == null
                ? Map.of()
                : Map.of("JAVA_HOME", javaHome.toAbsolutePath().toString());
        ChildProcess launcher = ChildProcess.spawn("infra/run", command, environment, logOf(home));
        TargetSystem system = new TargetSystem(home, launcher);
        Runtime.getRuntime().addShutdownHook(new Thread(system::close, "stop"));
        Polling.until(() -> Files.exists(system.envFile()) || !launcher.isAlive(), START_MAX);
        if (!Files.exists(system.envFile())) {
            String summary = launcher.failureSummary();
            system.close();
            throw new CannotRunException(summary);
        }
        return system;
    }

    /** The current contents of the file: pids change when a process is restarted. */
    DemoEnv env() {
        return DemoEnv.read(envFile());
    }

    /** Processes that outlive the launcher's time limit are killed by pid. */
    @Override
    public synchronized void close() {
        if (launcher == null || !launcher.isAlive()) {
            return;
        }
        List<ProcessHandle> services = launcher.handle().descendants().toList();
        launcher.stop(STOP_MAX);
        services.forEach(ProcessHandle::destroyForcibly);
        try {
            DeepDelete.delete(home);
            Files.deleteIfExists(logOf(home));
        } catch (IOException e) {
            System.err.println(home + " could not be deleted: " + e);
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
