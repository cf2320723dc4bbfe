package dev.ligeiro.testing.brokers;

import static org.awaitility.Awaitility.await;

import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.infra.brokers.LocalProcess;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A broker as a child process of this test JVM. Nothing restarts it. It is killed at the end of the test JVM at the latest, also after
 * Ctrl-C and SIGKILL.
 */
public final class LocalBroker implements TestBroker {

    private static final Duration READY_WITHIN = Duration.ofSeconds(90);
    private static final Duration STOP_GRACE = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(50);

    private final String id = UUID.randomUUID().toString();
    private final LocalProcess process;
    private @Nullable ChildProcess running;

    public LocalBroker(LocalProcess process) {
        this.process = process;
    }

    /** @throws IllegalStateException when it exits; the message shows the end of its log */
    @Override
    public synchronized void start() {
        ChildProcess broker = isRunning() ? unfrozen() : spawn();
        await(process.name() + " answers")
                // MongoDB's driver may throw on a thread of its own when a client is closed soon
                .dontCatchUncaughtExceptions()
                .pollInterval(POLL)
                .atMost(READY_WITHIN)
                .until(() -> !broker.isAlive() || process.ready());
        if (!broker.isAlive()) {
            throw new IllegalStateException(broker.failureSummary());
        }
    }

    private ChildProcess unfrozen() {
        Signal.CONT.send(running().pid());
        return running();
    }

    private ChildProcess spawn() {
        ChildProcess spawned = process.spawn();
        BrokerFolder.ofThisJvm().register(id, spawned);
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
        Signal.STOP.send(running().pid());
    }

    /** The pid of the process, also after its end. */
    public synchronized long pid() {
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
}
