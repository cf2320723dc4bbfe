package dev.ligeiro.testing.brokers;

/** @param address the clients' setting: bootstrap servers, or a MongoDB URI with {@code %s} for the database */
record RunningBroker(TestBroker broker, String address) {}
