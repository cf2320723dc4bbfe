package dev.ligeiro.infra.launcher.endtoend;

import static org.awaitility.Awaitility.await;

import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.infra.brokers.ProjectRoot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One run of {@code infra/run}. */
final class Launcher {

    private static final Path ROOT = ProjectRoot.find();

    /** The launcher allows three minutes for the brokers and three for the services. */
    private static final Duration UP_WITHIN = Duration.ofMinutes(7);

    private static final Duration REFUSED_WITHIN = Duration.ofMinutes(2);

    private final ChildProcess process;
    private final Path output;

    private Launcher(ChildProcess process, Path output) {
        this.process = process;
        this.output = output;
    }

    /** @param output the file for the launcher's terminal output */
    static Launcher start(Path output, Map<String, String> environment, List<String> options) {
        markAsBuilt();
        List<String> command = new ArrayList<>();
        command.add(ROOT.resolve("infra/run").toString());
        command.addAll(options);
        return new Launcher(ChildProcess.spawn("infra/run", command, environment, output), output);
    }

    /**
     * Prevents a build by {@code infra/run}, which would replace files of this build. Maven does not touch a jar whose contents stay
     * the same, so a pom.xml may be newer than the jar.
     */
    private static void markAsBuilt() {
        Path marker = ROOT.resolve("infra/launcher/target/built");
        try {
            if (!Files.exists(marker)) {
                Files.createFile(marker);
            }
            Files.setLastModifiedTime(marker, FileTime.from(Instant.now()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Launcher awaitUp() {
        await().atMost(UP_WITHIN).until(() -> !process.isAlive() || output().contains("Ligeiro is up at"));
        if (!process.isAlive()) {
            throw new AssertionError("infra/run ended with " + process.exitStatus() + ": " + output());
        }
        return this;
    }

    /** Waits for its exit. */
    Launcher awaitEnd() {
        await().atMost(REFUSED_WITHIN).until(() -> !process.isAlive());
        return this;
    }

    /** Sends SIGTERM, and SIGKILL after {@code grace}. */
    void stop(Duration grace) {
        process.stop(grace);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Such as {@code exit code 1}. */
    String exitStatus() {
        return process.exitStatus();
    }

    /** Without the line by which a JVM confirms {@code JAVA_TOOL_OPTIONS}. */
    String output() {
        try {
            return Files.readString(output).replaceFirst("Picked up JAVA_TOOL_OPTIONS: .*\\R", "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
