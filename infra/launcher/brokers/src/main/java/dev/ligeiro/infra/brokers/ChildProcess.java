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
 * A process that this JVM has started, with its output in a file.
 *
 * <p>It ignores SIGINT and SIGHUP, which Ctrl-C and a closed terminal send to all processes of the group: its owner stops the
 * processes in the right order. It outlives this JVM unless its owner stops it in a shutdown hook.
 */
public final class ChildProcess {

    private static final String IGNORE_TERMINAL_SIGNALS = "trap '' INT HUP; exec \"$@\"";

    /** On a full machine it gets a third of the CPU time that a process of normal priority gets. */
    private static final List<String> LOWER_PRIORITY = List.of("nice", "-n", "5");

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

    /**
     * Starts {@code command} and appends its output to the log.
     *
     * @param environment added to the environment of this JVM
     */
    public static ChildProcess spawn(String name, List<String> command, Map<String, String> environment, Path log) {
        List<String> ignoringSignals = new ArrayList<>(List.of("/bin/sh", "-c", IGNORE_TERMINAL_SIGNALS, name));
        ignoringSignals.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(ignoringSignals)
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

    /** {@code command} with a lower CPU priority ({@code nice -n 5}). */
    public static List<String> withLowerPriority(List<String> command) {
        List<String> nice = new ArrayList<>(LOWER_PRIORITY);
        nice.addAll(command);
        return nice;
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

    /** Runs {@code action} with the exit code after its end, before {@link #onExit} completes and {@link #stop} returns. */
    void whenEnded(IntConsumer action) {
        exit = exit.thenApply(ended -> {
            action.accept(ended.exitValue());
            return ended;
        });
    }

    /**
     * Sends SIGTERM, and SIGKILL if it has not exited after {@code grace}; returns when it has exited.
     *
     * @return whether it exited within {@code grace}
     */
    public boolean stop(Duration grace) {
        process.destroy();
        boolean inTime = endsWithin(grace);
        if (!inTime) {
            kill();
        }
        return inTime;
    }

    /** Sends SIGKILL and returns when it has exited. */
    public void kill() {
        process.destroyForcibly();
        endsWithin(Duration.ofSeconds(10));
    }

    /** Waits for its exit; false when it still runs after {@code limit}. */
    public boolean endsWithin(Duration limit) {
        try {
            exit.get(limit.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(name + ": the action after its exit has failed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Such as {@code exit code 1} or {@code signal 9}.
     *
     * @throws IllegalThreadStateException while it runs
     */
    public String exitStatus() {
        int code = process.exitValue();
        return code > SIGNALED ? "signal " + (code - SIGNALED) : "exit code " + code;
    }

    /** The reason why it does not answer, for a message: name, exit status, log file and its last lines. */
    public String failureSummary() {
        String state = isAlive() ? "does not answer" : "ended with " + exitStatus();
        return "%s %s. The end of %s:%n%s".formatted(name, state, log, logTail());
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
