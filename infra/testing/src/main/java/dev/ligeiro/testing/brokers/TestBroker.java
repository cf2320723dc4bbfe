package dev.ligeiro.testing.brokers;

import dev.ligeiro.infra.brokers.Broker;

/**
 * A broker that all tests share. A test that stops, kills or freezes it calls {@link #start} afterwards. The broker keeps its address
 * and its acknowledged writes.
 */
public interface TestBroker extends Broker {

    /** Starts or unfreezes it and returns when it answers; does nothing while it runs. */
    @Override
    void start();

    /** Suspends it: like a machine behind a broken network it neither answers nor closes connections. */
    void freeze();
}
