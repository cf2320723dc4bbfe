package dev.ligeiro.testing.brokers;

/**
 * One Kafka and one MongoDB for all integration tests of a module. The first test that uses a broker starts it, and its address is
 * printed. With Docker they are containers, otherwise local processes. They end with the test JVM.
 *
 * <p>Each module has its own brokers because Maven builds modules in parallel and some tests stop a broker. Tests of a module run one
 * after the other and share them, so a test uses its own database and consumer groups. Topic names are constants, so a topic also has
 * records of other tests: a test selects its own by their keys. A test that stops a broker starts it again.
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
