package dev.ligeiro.infra.brokers;

/** A process of this machine that can be started many times: its start and its readiness check. */
public interface LocalProcess {

    String name();

    /**
     * Starts it on its own data and port and returns at once.
     *
     * @throws PortTakenException when something else listens on its port
     */
    ChildProcess spawn();

    /** Asks once, within a few seconds, whether it answers; false, not an exception, when it does not. */
    boolean ready();
}
