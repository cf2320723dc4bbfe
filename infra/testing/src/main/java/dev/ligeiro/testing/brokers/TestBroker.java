package dev.ligeiro.testing.brokers;

/**
 * A broker that all tests share. A test that stops, kills or freezes it calls {@link #start} afterwards. The broker keeps its address
 * and its acknowledged writes.
 */
public interface TestBroker {

    /** Starts or unfreezes it and returns when it answers; does nothing while it runs. */
    void start();

    /** Shuts it down by SIGTERM. */
    void stop();

    /** Ends it by SIGKILL: without a flush, and without closing its connections. */
    void kill();

    /** Suspends it: like a machine behind a broken network it neither answers nor closes connections. */
    void freeze();
}
