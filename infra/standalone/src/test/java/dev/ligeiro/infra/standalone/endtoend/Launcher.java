package dev.ligeiro.infra.standalone.endtoend;

import static org.awaitility.Awaitility.await;

import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.infra.brokers.ProjectRoot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** One life of the launcher, as a process with the class path that {@code infra/run} gives it. */
final class Launcher {

    private static final Path ROOT = ProjectRoot.find();
    private static final Path TARGET = ROOT.resolve("infra/standalone/target");

    /** Three minutes are what the launcher itself allows a group of processes. */
    private static final Duration UP_WITHIN = Duration.ofMinutes(5);

    private static final Duration REFUSED_WITHIN = Duration.ofMinutes(1);

    private final ChildProcess process;
    private final Path output;

    private Launcher(ChildProcess process, Path output) {
        this.process = process;
        this.output = output;
    }

    /** @param output where it writes what a person at the terminal would see */
    static Launcher start(Path output, Map<String, String> environment, List<String> options) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Dligeiro.root=" + ROOT));
        command.addAll(List.of("-cp", jar() + ":" + TARGET.resolve("lib") + "/*"));
        command.add("dev.ligeiro.infra.standalone.Standalone");
        command.addAll(options);
        return new Launcher(ChildProcess.spawn("launcher", command, environment, output), output);
    }

    private static Path jar() {
        try (Stream<Path> files = Files.list(TARGET)) {
            return files.filter(file -> file.getFileName().toString().matches("standalone-\\d.*\\.jar"))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Launcher awaitUp() {
        await().atMost(UP_WITHIN).until(() -> !process.isAlive() || output().contains("Ligeiro is up at"));
        if (!process.isAlive()) {
            throw new AssertionError("the launcher ended with " + process.ending() + ": " + output());
        }
        return this;
    }

    /** Waits for it to end by itself. */
    Launcher awaitEnd() {
        await().atMost(REFUSED_WITHIN).until(() -> !process.isAlive());
        return this;
    }

    /** Asks it to end, as Ctrl-C and {@code kill} do; by force after {@code grace}. */
    void stop(Duration grace) {
        process.stop(grace);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** How it ended, in words. */
    String ending() {
        return process.ending();
    }

    String output() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
