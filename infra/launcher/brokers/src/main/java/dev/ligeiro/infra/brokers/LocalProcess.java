package dev.ligeiro.infra.brokers;

/** Starts a process of this machine, any number of times, and checks whether it is ready. */
public interface LocalProcess {

    String name();

    /**
     * Starts it and returns without waiting for its readiness.
     *
     * @throws PortTakenException when another process listens on its port
     */
    ChildProcess spawn();

    /** Whether it answers; takes at most a few seconds. False, not an exception, when it does not answer. */
    boolean ready();
}
