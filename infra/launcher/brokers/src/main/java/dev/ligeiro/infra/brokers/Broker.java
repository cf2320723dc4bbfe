package dev.ligeiro.infra.brokers;

/** A broker that a test can stop, kill and start again. It keeps acknowledged writes. */
public interface Broker {

    /** Starts it, on the same port as before, and returns when it answers; does nothing while it runs. */
    void start();

    /** Shuts it down by SIGTERM. */
    void stop();

    /** Ends it by SIGKILL: without a flush, and without closing its connections. */
    void kill();
}
