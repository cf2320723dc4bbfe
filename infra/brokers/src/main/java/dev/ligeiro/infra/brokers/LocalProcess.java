package dev.ligeiro.infra.brokers;

/** How one process of this machine is started and how one knows that it is ready; it may be started many times. */
public interface LocalProcess {

    String name();

    /**
     * Starts it on its own data and port and returns at once.
     *
     * @throws PortTakenException when something else listens on its port
     */
    ChildProcess spawn();

    /** Asks once, within a few seconds, whether it answers; never throws because it does not. */
    boolean ready();
}
