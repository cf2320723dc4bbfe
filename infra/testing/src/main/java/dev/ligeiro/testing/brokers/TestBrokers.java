package dev.ligeiro.testing.brokers;

/**
 * One Kafka and one MongoDB for all integration tests. The first test that uses a broker starts it, and its address is printed.
 * Without Docker they are local processes, which all modules of a Maven build share until its end (in an IDE, until the end of the
 * JVM). With Docker they are containers, which end with the test JVM, so each module has its own.
 *
 * <p>A test therefore uses its own database and consumer groups. Topic names are constants, so a topic also has records of other
 * tests: a test selects its own by their keys. A test that stops a broker starts it again.
 */
public final class TestBrokers {

    private TestBrokers() {}

    /** Kafka does not create topics at their first use; {@link dev.ligeiro.testing.kafka.TestTopics} creates them. */
    public static String kafkaBootstrapServers() {
        return Kafka.RUNNING.address();
    }

    /** The URI of a database of this name on a replica set. */
    public static String mongodbUri(String database) {
        return Mongodb.RUNNING.address().formatted(database);
    }

    /** For tests of an outage. */
    public static TestBroker kafka() {
        return Kafka.RUNNING.broker();
    }

    /** For tests of an outage. */
    public static TestBroker mongodb() {
        return Mongodb.RUNNING.broker();
    }

    private static final class Kafka {
        static final RunningBroker RUNNING = Docker.kafka().orElseGet(LocalBrokers::kafka);
    }

    private static final class Mongodb {
        static final RunningBroker RUNNING = Docker.mongodb().orElseGet(LocalBrokers::mongodb);
    }
}
