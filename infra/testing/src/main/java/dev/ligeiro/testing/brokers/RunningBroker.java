package dev.ligeiro.testing.brokers;

/**
 * A broker that answers.
 *
 * @param address bootstrap servers, or a MongoDB URI with {@code %s} for the database
 */
record RunningBroker(TestBroker broker, String address) {}
