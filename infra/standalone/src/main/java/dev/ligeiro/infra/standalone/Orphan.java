package dev.ligeiro.infra.standalone;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A process that outlived its launcher.
 *
 * @param startedAt with the pid it tells our process from a later one that got its number
 */
record Orphan(String name, long pid, Instant startedAt) {

    /** The kernel counts starts in ticks since boot, and the time of boot is corrected with the clock. */
    private static final Duration CLOCK_TOLERANCE = Duration.ofSeconds(2);

    private static final long GRACE_SECONDS = 20;

    /** Itself when the process with its pid is still the one that was started, else nothing. */
    Optional<Orphan> stillRunning() {
        return ProcessHandle.of(pid)
                .filter(ProcessHandle::isAlive)
                .filter(handle -> handle.info()
                        .startInstant()
                        .filter(at -> Duration.between(at, startedAt).abs().compareTo(CLOCK_TOLERANCE) <= 0)
                        .isPresent())
                .map(handle -> this);
    }

    /** Ends it in good order, by force when it does not obey; returns once it is gone. */
    void end() {
        Console.report("%s (pid %d) outlived its launcher and is stopped".formatted(name, pid));
        ProcessHandle.of(pid).ifPresent(handle -> {
            handle.destroy();
            if (!gone(handle)) {
                handle.destroyForcibly();
                gone(handle);
            }
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
