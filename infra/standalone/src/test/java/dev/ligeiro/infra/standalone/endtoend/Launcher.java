package dev.ligeiro.infra.standalone.endtoend;

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

    /** The launcher itself allows three minutes for a group of processes. */
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
        markAsBuilt();
        List<String> command = new ArrayList<>();
        command.add(ROOT.resolve("infra/run").toString());
        command.addAll(options);
        return new Launcher(ChildProcess.spawn("infra/run", command, environment, output), output);
    }

    /**
     * Tells {@code infra/run} that this build has just built everything. A jar that needed no change may be older than a pom.xml,
     * and a build within this one would replace its files.
     */
    private static void markAsBuilt() {
        Path marker = ROOT.resolve("infra/standalone/target/built");
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
            throw new AssertionError("infra/run ended with " + process.ending() + ": " + output());
        }
        return this;
    }

    /** Waits for it to end by itself. */
    Launcher awaitEnd() {
        await().atMost(REFUSED_WITHIN).until(() -> !process.isAlive());
        return this;
    }

    /** Asks it to end, as Ctrl-C and {@code kill} do, and kills it after {@code grace}. */
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
