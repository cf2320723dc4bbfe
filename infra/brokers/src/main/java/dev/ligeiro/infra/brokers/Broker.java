package dev.ligeiro.infra.brokers;

/** A broker whose outage can be staged: what it has acknowledged is there again after every {@link #start()}. */
public interface Broker {

    /** Starts it and returns once it answers, on the port it had before; does nothing while it runs. */
    void start();

    /** Stops it in good order. */
    void stop();

    /** Stops it as a power cut would stop it: no flush, no farewell to clients. */
    void kill();
}
