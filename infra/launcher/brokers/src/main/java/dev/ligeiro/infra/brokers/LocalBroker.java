package dev.ligeiro.infra.brokers;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A broker as a process that a test starts and stops. Nothing restarts it. */
public final class LocalBroker implements Broker {

    private static final Duration READY_WITHIN = Duration.ofSeconds(90);
    private static final Duration STOP_GRACE = Duration.ofSeconds(30);

    private final LocalProcess process;
    private @Nullable ChildProcess child;

    public LocalBroker(LocalProcess process) {
        this.process = process;
    }

    /**
     * {@inheritDoc}
     *
     * @throws PortTakenException when another process listens on its port
     * @throws IllegalStateException when it exits or does not answer within 90 s; the message shows the end of its log
     */
    @Override
    public synchronized void start() {
        if (child != null && child.isAlive()) {
            return;
        }
        ChildProcess started = process.spawn();
        child = started;
        Polling.until(() -> process.ready() || !started.isAlive(), READY_WITHIN);
        if (!started.isAlive() || !process.ready()) {
            String failureSummary = started.failureSummary();
            started.kill();
            throw new IllegalStateException(failureSummary);
        }
    }

    @Override
    public synchronized void stop() {
        if (child != null) {
            child.stop(STOP_GRACE);
        }
    }

    @Override
    public synchronized void kill() {
        if (child != null) {
            child.kill();
        }
    }

    /** The pid of the process, also after its end. */
    public synchronized long pid() {
        if (child == null) {
            throw new IllegalStateException(process.name() + " was never started");
        }
        return child.pid();
    }
}
