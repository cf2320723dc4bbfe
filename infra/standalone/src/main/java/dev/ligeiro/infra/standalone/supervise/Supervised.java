package dev.ligeiro.infra.standalone.supervise;

import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.infra.brokers.LocalProcess;
import dev.ligeiro.infra.standalone.terminal.Console;
import java.time.Duration;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A process that is started again after each end, by any signal or exit code, until {@link #stop}. Each start is reported to
 * {@code onStart}, each restart by one line on the terminal.
 */
public final class Supervised {

    private final LocalProcess process;
    private final BiConsumer<String, ChildProcess> onStart;
    private final Backoff backoff = new Backoff();
    private boolean stopping;
    private @Nullable ChildProcess child;
    private int endings;

    public Supervised(LocalProcess process, BiConsumer<String, ChildProcess> onStart) {
        this.process = process;
        this.onStart = onStart;
    }

    String name() {
        return process.name();
    }

    boolean ready() {
        return process.ready();
    }

    /** Starts it for the first time, unless it was stopped before. A failure of this start is thrown and not repeated. */
    synchronized void start() {
        if (stopping) {
            return;
        }
        ChildProcess first = spawn();
        Thread watch = new Thread(() -> watch(first), "watch-" + name());
        watch.start();
    }

    /** How many times it has ended so far. */
    synchronized int endings() {
        return endings;
    }

    /** Why it is not ready, for a message. */
    synchronized String failureSummary() {
        return child == null ? name() + " was not started" : child.failureSummary();
    }

    /** Stops it for good, and kills it after {@code grace}; returns once it is gone. */
    void stop(Duration grace) {
        ChildProcess last;
        synchronized (this) {
            stopping = true;
            notifyAll();
            last = child;
        }
        if (last != null) {
            last.stop(grace);
        }
    }

    private void watch(ChildProcess first) {
        @Nullable ChildProcess current = first;
        while (current != null) {
            long startedAt = System.nanoTime();
            current.onExit().join();
            Duration lived = Duration.ofNanos(System.nanoTime() - startedAt);
            current = restart("(pid %d) ended with %s".formatted(current.pid(), current.ending()), lived);
        }
    }

    /** The next life, after a pause; null when there is to be none. */
    private synchronized @Nullable ChildProcess restart(String reason, Duration lived) {
        endings++;
        String why = reason;
        while (!stopping) {
            Duration pause = backoff.after(lived);
            Console.report("%s %s; it is started again in %d s".formatted(name(), why, pause.toSeconds()));
            sleepUnlessStopped(pause);
            if (stopping) {
                return null;
            }
            try {
                return spawn();
            } catch (RuntimeException e) {
                why = "cannot be started: " + e.getMessage();
            }
        }
        return null;
    }

    private synchronized ChildProcess spawn() {
        ChildProcess started = process.spawn();
        child = started;
        onStart.accept(name(), started);
        return started;
    }

    private synchronized void sleepUnlessStopped(Duration pause) {
        long deadline = System.nanoTime() + pause.toNanos();
        long left = pause.toMillis();
        try {
            while (!stopping && left > 0) {
                wait(left);
                left = (deadline - System.nanoTime()) / 1_000_000;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
