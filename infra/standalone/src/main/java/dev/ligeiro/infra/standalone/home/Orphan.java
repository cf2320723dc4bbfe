package dev.ligeiro.infra.standalone.home;

import dev.ligeiro.infra.standalone.terminal.Console;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A process that a killed launcher left running.
 *
 * @param startedAt distinguishes the process from a later one with the same pid
 */
public record Orphan(String name, long pid, Instant startedAt) {

    /** A process's start time is counted from the boot time, which shifts when the clock is corrected. */
    private static final Duration CLOCK_TOLERANCE = Duration.ofSeconds(2);

    private static final long GRACE_SECONDS = 40;

    /** This orphan if its process still runs, else empty. */
    Optional<Orphan> stillRunning() {
        return ProcessHandle.of(pid)
                .filter(ProcessHandle::isAlive)
                .filter(handle -> handle.info()
                        .startInstant()
                        .filter(at -> Duration.between(at, startedAt).abs().compareTo(CLOCK_TOLERANCE) <= 0)
                        .isPresent())
                .map(handle -> this);
    }

    /** Stops them, services before brokers, and kills the rest after 40 s; returns when all have exited. */
    public static void stopAll(List<Orphan> orphans) {
        stopTogether(orphans.stream().filter(Orphan::isService).toList());
        stopTogether(orphans.stream().filter(orphan -> !orphan.isService()).toList());
    }

    private static void stopTogether(List<Orphan> orphans) {
        orphans.forEach(Orphan::sendTerm);
        orphans.forEach(Orphan::killAfterGrace);
    }

    /** Services are numbered, brokers are not. */
    private boolean isService() {
        return name.matches(".*-\\d+");
    }

    private void sendTerm() {
        Console.printEvent("%s (pid %d) was left running by a killed launcher and is stopped".formatted(name, pid));
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroy);
    }

    private void killAfterGrace() {
        ProcessHandle.of(pid).filter(handle -> !gone(handle)).ifPresent(handle -> {
            handle.destroyForcibly();
            gone(handle);
        });
    }

    private static boolean gone(ProcessHandle handle) {
        try {
            handle.onExit().get(GRACE_SECONDS, TimeUnit.SECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
