package dev.ligeiro.infra.brokers;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntConsumer;

/**
 * One life of a process that this JVM started: its output goes to a file, and it ends only by its own pid.
 *
 * <p>Ctrl-C in a terminal reaches every process of the group, so the child ignores SIGINT and SIGHUP: its owner
 * decides the order of a stop. It outlives this JVM unless its owner stops it, in a shutdown hook.
 */
public final class ChildProcess {

    private static final String IGNORE_TERMINAL_SIGNALS = "trap '' INT HUP; exec \"$@\"";

    /** Beside busy processes of usual priority it gets a third of the CPU time of each, and seldom interrupts them. */
    private static final List<String> IN_THE_BACKGROUND = List.of("nice", "-n", "5");

    private static final int SIGNALED = 128;
    private static final int LOG_TAIL_LINES = 30;

    private final String name;
    private final Process process;
    private final Path log;
    private volatile CompletableFuture<Process> exit;

    private ChildProcess(String name, Process process, Path log) {
        this.name = name;
        this.process = process;
        this.log = log;
        this.exit = process.onExit();
    }

    /** Starts {@code command} with the environment of this JVM and {@code environment} over it; output is appended to the log. */
    public static ChildProcess spawn(String name, List<String> command, Map<String, String> environment, Path log) {
        List<String> shielded = new ArrayList<>(List.of("/bin/sh", "-c", IGNORE_TERMINAL_SIGNALS, name));
        shielded.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(shielded)
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        try {
            Files.createDirectories(log.toAbsolutePath().getParent());
            return new ChildProcess(name, builder.start(), log);
        } catch (IOException e) {
            throw new UncheckedIOException(name + ": cannot be started", e);
        }
    }

    /** {@code command} with a lower CPU priority ({@code nice -n 5}): slower on a busy machine, but never starved. */
    public static List<String> inTheBackground(List<String> command) {
        List<String> background = new ArrayList<>(IN_THE_BACKGROUND);
        background.addAll(command);
        return background;
    }

    public String name() {
        return name;
    }

    public long pid() {
        return process.pid();
    }

    public ProcessHandle handle() {
        return process.toHandle();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public CompletableFuture<Process> onExit() {
        return exit;
    }

    /** Runs {@code action} with the exit code once it has ended; only then {@link #onExit} and {@link #stop} see the end. */
    void whenEnded(IntConsumer action) {
        exit = exit.thenApply(ended -> {
            action.accept(ended.exitValue());
            return ended;
        });
    }

    /**
     * Asks it to end (SIGTERM) and kills it when it has not ended after {@code grace}; returns once it is gone.
     *
     * @return whether it ended within {@code grace}
     */
    public boolean stop(Duration grace) {
        process.destroy();
        boolean obeyed = endsWithin(grace);
        if (!obeyed) {
            kill();
        }
        return obeyed;
    }

    /** Ends it with SIGKILL and returns once it is gone. */
    public void kill() {
        process.destroyForcibly();
        endsWithin(Duration.ofSeconds(10));
    }

    /** Waits for it to end by itself; false when it has not. */
    public boolean endsWithin(Duration limit) {
        try {
            exit.get(limit.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(name + ": what follows its end has failed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** How it ended, in words: {@code exit code 1}, {@code signal 9}; only once it has. */
    public String ending() {
        int code = process.exitValue();
        return code > SIGNALED ? "signal " + (code - SIGNALED) : "exit code " + code;
    }

    /** The reason why it does not answer, for a message: name, ending, log file and its last lines. */
    public String failureSummary() {
        String fate = isAlive() ? "does not answer" : "ended with " + ending();
        return "%s %s. The end of %s:%n%s".formatted(name, fate, log, logTail());
    }

    private String logTail() {
        try {
            List<String> lines = Files.readAllLines(log);
            return String.join(
                    System.lineSeparator(), lines.subList(Math.max(0, lines.size() - LOG_TAIL_LINES), lines.size()));
        } catch (IOException e) {
            return "(not readable: " + e.getMessage() + ")";
        }
    }
}
