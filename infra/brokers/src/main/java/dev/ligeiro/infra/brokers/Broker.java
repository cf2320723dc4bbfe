package dev.ligeiro.infra.brokers;

/** A broker that a test can stop, kill and start again. Acknowledged writes are there again after each {@link #start()}. */
public interface Broker {

    /** Starts it and returns once it answers, on the port it had before; does nothing while it runs. */
    void start();

    /** Stops it in good order. */
    void stop();

    /** Stops it at once, as by SIGKILL: without a flush and without closing connections. */
    void kill();
}
