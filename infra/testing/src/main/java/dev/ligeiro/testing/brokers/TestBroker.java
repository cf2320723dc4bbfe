package dev.ligeiro.testing.brokers;

import dev.ligeiro.infra.brokers.Broker;

/**
 * A shared broker. A test that stops, kills or freezes it calls {@link #start} before it ends: the address stays the same, and
 * what was acknowledged is still there.
 */
public interface TestBroker extends Broker {

    /** Starts it, or ends a freeze, and returns once it answers; does nothing while it runs. */
    @Override
    void start();

    /** Makes it neither answer nor close a connection, as behind a broken network. */
    void freeze();
}
