package dev.ligeiro.infra.launcher;

import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.infra.brokers.LocalProcess;
import java.time.Duration;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A process that is restarted after each exit, by any signal or exit code, until {@link #stop}. Each restart waits for the
 * {@link Backoff} and prints one line.
 */
final class SupervisedProcess {

    private final LocalProcess process;
    private final BiConsumer<String, ChildProcess> onStart;
    private final Backoff backoff = new Backoff();
    private boolean stopping;
    private @Nullable ChildProcess child;
    private int exits;

    SupervisedProcess(LocalProcess process, BiConsumer<String, ChildProcess> onStart) {
        this.process = process;
        this.onStart = onStart;
    }

    String name() {
        return process.name();
    }

    boolean ready() {
        return process.ready();
    }

    /** Starts it for the first time; does nothing after {@link #stop}. A failure of this start is thrown, not retried. */
    synchronized void start() {
        if (stopping) {
            return;
        }
        ChildProcess first = spawn();
        Thread watch = new Thread(() -> watch(first), "watch-" + name());
        watch.start();
    }

    /** The number of exits so far. */
    synchronized int exits() {
        return exits;
    }

    /** The reason why it is not ready, for a message. */
    synchronized String failureSummary() {
        return child == null ? name() + " was not started" : child.failureSummary();
    }

    /** Stops it without a restart, and kills it after {@code grace}; returns when it has exited. */
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
            Duration uptime = Duration.ofNanos(System.nanoTime() - startedAt);
            current = restart("(pid %d) ended with %s".formatted(current.pid(), current.exitStatus()), uptime);
        }
    }

    /** The restarted process; null after a stop. */
    private synchronized @Nullable ChildProcess restart(String reason, Duration uptime) {
        exits++;
        String why = reason;
        Duration pause = backoff.after(uptime);
        while (!stopping) {
            Console.printEvent("%s %s; it is restarted in %d s".formatted(name(), why, pause.toSeconds()));
            sleepUnlessStopped(pause);
            if (stopping) {
                return null;
            }
            try {
                return spawn();
            } catch (RuntimeException e) {
                why = "cannot be started: " + e.getMessage();
                pause = backoff.afterFailedStart();
            }
        }
        return null;
    }

    private synchronized ChildProcess spawn() {
        ChildProcess started = process.spawn();
        child = started;
        try {
            onStart.accept(name(), started);
        } catch (RuntimeException e) {
            started.kill(); // on a full disk its pid is recorded nowhere: it would outlive a killed launcher
            throw e;
        }
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

    /** The pause before a restart: none after an uptime of 20 s; otherwise 1 s, doubled at each restart up to 30 s. */
    static final class Backoff {

        private static final Duration FIRST = Duration.ofSeconds(1);
        private static final Duration LONGEST = Duration.ofSeconds(30);
        private static final Duration HEALTHY_UPTIME = Duration.ofSeconds(20);

        private Duration next = FIRST;

        /** @param uptime of the process that has exited */
        Duration after(Duration uptime) {
            if (uptime.compareTo(HEALTHY_UPTIME) >= 0) {
                next = FIRST;
                return Duration.ZERO;
            }
            Duration delay = next;
            Duration doubled = delay.multipliedBy(2);
            next = doubled.compareTo(LONGEST) < 0 ? doubled : LONGEST;
            return delay;
        }

        Duration afterFailedStart() {
            return after(Duration.ZERO);
        }
    }
}
