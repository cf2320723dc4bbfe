package dev.ligeiro.infra.launcher;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A process that a killed launcher left running.
 *
 * @param startedAt distinguishes the process from a later one with the same pid
 */
record Orphan(String name, long pid, Instant startedAt) {

    /** A process's start time is counted from the boot time, which shifts when the clock is corrected. */
    private static final Duration CLOCK_TOLERANCE = Duration.ofSeconds(2);

    private static final Duration GRACE = Duration.ofSeconds(40);

    /** This orphan if its process still runs, else empty. */
    Optional<Orphan> stillRunning() {
        return handle().map(handle -> this);
    }

    private Optional<ProcessHandle> handle() {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).filter(handle -> handle.info()
                .startInstant()
                .filter(at -> Duration.between(at, startedAt).abs().compareTo(CLOCK_TOLERANCE) <= 0)
                .isPresent());
    }

    /** Stops the services, then the brokers, and kills those that have not exited after 40 s. Returns when all have exited. */
    static void stopAll(List<Orphan> orphans) {
        stopAll(orphans, GRACE);
    }

    static void stopAll(List<Orphan> orphans, Duration grace) {
        stopTogether(orphans.stream().filter(Orphan::isService).toList(), grace);
        stopTogether(orphans.stream().filter(orphan -> !orphan.isService()).toList(), grace);
    }

    private static void stopTogether(List<Orphan> orphans, Duration grace) {
        orphans.forEach(Orphan::announceStop);
        List<ProcessHandle> running =
                orphans.stream().flatMap(orphan -> orphan.handle().stream()).toList();
        running.forEach(ProcessHandle::destroy);
        if (!haveExited(running, grace)) {
            running.forEach(ProcessHandle::destroyForcibly);
            haveExited(running, grace);
        }
    }

    private boolean isService() {
        return !name.matches("bank|(mongod|kafka)(-\\d+)?");
    }

    private void announceStop() {
        Console.printEvent("%s (pid %d) was left running by a killed launcher and is stopped".formatted(name, pid));
    }

    private static boolean haveExited(List<ProcessHandle> handles, Duration limit) {
        CompletableFuture<?>[] exits =
                handles.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new);
        try {
            CompletableFuture.allOf(exits).get(limit.toMillis(), TimeUnit.MILLISECONDS);
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
