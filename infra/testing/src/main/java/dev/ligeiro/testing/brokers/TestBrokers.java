package dev.ligeiro.testing.brokers;

/**
 * One Kafka and one MongoDB for all integration tests, each started by the first test that asks for it; one printed line says
 * where it is. Without Docker they are processes of this machine that all modules of a Maven build share and that end with the
 * build; from an IDE they end with the JVM. With Docker they are containers, which Testcontainers ends with the test JVM, so
 * each module has its own.
 *
 * <p>A test therefore uses a database and consumer groups of its own. Topic names are constants: a topic holds other tests'
 * records too, and a test looks for its own keys. A test that stops a broker starts it again.
 */
public final class TestBrokers {

    private TestBrokers() {}

    /** Kafka does not create a topic on first use: see {@link dev.ligeiro.testing.kafka.TestTopics}. */
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
