package dev.ligeiro.infra.standalone;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
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

    private static final long GRACE_SECONDS = 40;

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

    /** Ends them in good order, by force what does not obey, and brokers last; returns once they are gone. */
    static void endAll(List<Orphan> orphans) {
        endTogether(orphans.stream().filter(Orphan::isService).toList());
        endTogether(orphans.stream().filter(orphan -> !orphan.isService()).toList());
    }

    private static void endTogether(List<Orphan> orphans) {
        orphans.forEach(Orphan::askToEnd);
        orphans.forEach(Orphan::awaitEnd);
    }

    /** Services are numbered, brokers are not. */
    private boolean isService() {
        return name.matches(".*-\\d+");
    }

    private void askToEnd() {
        Console.report("%s (pid %d) outlived its launcher and is stopped".formatted(name, pid));
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroy);
    }

    private void awaitEnd() {
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
