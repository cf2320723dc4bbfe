package dev.ligeiro.infra.loadtest.system;

import dev.ligeiro.infra.brokers.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The system in a home of its own on free ports, started with {@code infra/run} and stopped with it. */
public final class StartedSystem extends RunningSystem {

    /** A first start builds. */
    private static final Duration START_MAX = Duration.ofMinutes(15);
    /** infra/run takes at most 60 s. */
    private static final Duration STOP_MAX = Duration.ofSeconds(70);

    private static final int TAIL_LINES = 15;
    private static final long LOOK_EVERY_MILLIS = 100;

    private final Process launcher;
    private final Path log;

    private StartedSystem(Path home, Process launcher, Path log) {
        super(home);
        this.launcher = launcher;
        this.log = log;
    }

    /**
     * Returns once it is ready.
     *
     * @param home a folder that does not exist; deleted at the end
     * @param javaHome the JDK to run everything on, the own one when empty
     * @param options further ones for {@code infra/run}
     */
    public static StartedSystem start(Path root, Path home, Optional<Path> javaHome, List<String> options) {
        Path log = home.resolveSibling(home.getFileName() + ".log");
        ProcessBuilder builder = new ProcessBuilder(command(root, home, options)).redirectErrorStream(true);
        builder.redirectOutput(log.toFile());
        builder.environment()
                .put("JAVA_HOME", javaHome.map(Path::toString).orElseGet(() -> System.getProperty("java.home")));
        try {
            Files.createDirectories(home.toAbsolutePath().getParent());
            StartedSystem system = new StartedSystem(home, builder.start(), log);
            Runtime.getRuntime().addShutdownHook(new Thread(system::close, "stop"));
            system.awaitReady();
            return system;
        } catch (IOException e) {
            throw new UncheckedIOException("infra/run cannot be started", e);
        }
    }

    @Override
    public boolean isOurs() {
        return true;
    }

    /** Stops every process of it; what outlives the launcher's own time for that is killed, by its pid. */
    @Override
    public synchronized void close() {
        if (!launcher.isAlive()) {
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
        deleteHome();
    }

    private static List<String> command(Path root, Path home, List<String> options) {
        List<String> command = new ArrayList<>();
        command.add(root.resolve("infra").resolve("run").toString());
        command.addAll(List.of("--home", home.toString()));
        command.addAll(List.of("--port", Integer.toString(freePorts(1))));
        command.addAll(List.of("--management-port", Integer.toString(freePorts(3))));
        command.addAll(List.of("--kafka-port", Integer.toString(freePorts(2))));
        command.addAll(List.of("--mongodb-port", Integer.toString(freePorts(1))));
        command.addAll(options);
        return command;
    }

    /** The first of so many free ports in a row. */
    private static int freePorts(int count) {
        while (true) {
            int first = Ports.free();
            boolean allFree = true;
            for (int port = first + 1; port < first + count; port++) {
                allFree &= Ports.isFree(port);
            }
            if (allFree) {
                return first;
            }
        }
    }

    private void awaitReady() throws IOException {
        long giveUpAt = System.nanoTime() + START_MAX.toNanos();
        while (!Files.exists(envFile())) {
            if (!launcher.isAlive() || System.nanoTime() > giveUpAt) {
                String tail = tail();
                close();
                throw new CannotRunException("infra/run did not start the system; its output ends with:\n" + tail);
            }
            try {
                TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CannotRunException("interrupted while the system starts", e);
            }
        }
    }

    private String tail() throws IOException {
        List<String> lines = Files.readAllLines(log);
        return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
    }

    private void deleteHome() {
        if (!Files.exists(home())) {
            return;
        }
        try (Stream<Path> files = Files.walk(home())) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
            Files.deleteIfExists(log);
        } catch (IOException e) {
            System.err.println(home() + " could not be deleted: " + e);
        }
    }
}
