package dev.ligeiro.testing.brokers;

import dev.ligeiro.infra.brokers.Broker;

/**
 * One Kafka and one MongoDB for all tests of a JVM, each started by the first test that asks for it and gone with the
 * JVM: containers where Docker is there, else processes of this machine; one printed line says which.
 *
 * <p>They are shared: a test takes a database and topic names of its own, and starts again what it stopped.
 */
public final class TestBrokers {

    private TestBrokers() {}

    /** Topics are not created by being used: the test creates them, as the services do. */
    public static String kafkaBootstrapServers() {
        return Kafka.RUNNING.address();
    }

    /** The URI of a database of this name, of a replica set. */
    public static String mongodbUri(String database) {
        return Mongodb.RUNNING.address().formatted(database);
    }

    /** For tests of an outage; the address stays the same. */
    public static Broker kafka() {
        return Kafka.RUNNING.broker();
    }

    /** For tests of an outage; the address stays the same. */
    public static Broker mongodb() {
        return Mongodb.RUNNING.broker();
    }

    private static final class Kafka {
        static final RunningBroker RUNNING = Docker.kafka().orElseGet(LocalBrokers::kafka);
    }

    private static final class Mongodb {
        static final RunningBroker RUNNING = Docker.mongodb().orElseGet(LocalBrokers::mongodb);
    }
}
