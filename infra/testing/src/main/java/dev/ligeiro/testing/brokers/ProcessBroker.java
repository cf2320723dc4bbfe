package dev.ligeiro.testing.brokers;

import static org.awaitility.Awaitility.await;

import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.infra.brokers.LocalProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A broker as a child process of this test JVM. */
final class ProcessBroker implements TestBroker {

    private static final Duration READY_WITHIN = Duration.ofSeconds(90);
    private static final Duration STOP_GRACE = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(50);

    private final BrokerFolder folder;
    private final LocalProcess process;
    private @Nullable ChildProcess running;

    ProcessBroker(BrokerFolder folder, LocalProcess process) {
        this.folder = folder;
        this.process = process;
    }

    @Override
    public synchronized void start() {
        ChildProcess broker = isRunning() ? unfrozen() : spawn();
        await(process.name() + " answers")
                .pollInterval(POLL)
                .atMost(READY_WITHIN)
                .until(() -> !broker.isAlive() || process.ready());
        if (!broker.isAlive()) {
            throw new IllegalStateException(broker.failureSummary());
        }
    }

    private ChildProcess unfrozen() {
        signal("CONT", running());
        return running();
    }

    private ChildProcess spawn() {
        ChildProcess spawned = process.spawn();
        folder.register(spawned);
        running = spawned;
        return spawned;
    }

    @Override
    public synchronized void stop() {
        if (isRunning()) {
            running().stop(STOP_GRACE);
        }
    }

    @Override
    public synchronized void kill() {
        if (isRunning()) {
            running().kill();
        }
    }

    @Override
    public synchronized void freeze() {
        signal("STOP", running());
    }

    synchronized long pid() {
        return running().pid();
    }

    private boolean isRunning() {
        return running != null && running.isAlive();
    }

    private ChildProcess running() {
        if (running == null) {
            throw new IllegalStateException(process.name() + " was never started");
        }
        return running;
    }

    private static void signal(String name, ChildProcess broker) {
        try {
            int code = new ProcessBuilder("kill", "-" + name, Long.toString(broker.pid()))
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new IllegalStateException("kill -" + name + ": exit code " + code);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
