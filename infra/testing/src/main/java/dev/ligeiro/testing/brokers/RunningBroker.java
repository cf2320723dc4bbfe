package dev.ligeiro.testing.brokers;

import dev.ligeiro.infra.brokers.Broker;

/** @param address what a client is told: bootstrap servers, or a MongoDB URI with {@code %s} for the database */
record RunningBroker(Broker broker, String address) {}
