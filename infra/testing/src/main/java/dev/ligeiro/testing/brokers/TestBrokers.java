package dev.ligeiro.testing.brokers;

import reactor.core.publisher.Mono;

/**
 * One Kafka and one MongoDB for all integration tests of a module. The first test that uses a broker starts it, and its address is
 * printed. With Docker they are containers, otherwise local processes. They end with the test JVM.
 *
 * <p>Each module has its own brokers because Maven builds modules in parallel and some tests stop a broker. Tests of a module run one
 * after the other and share them, so a test uses its own database and consumer groups. Topic names are constants, so a topic also has
 * records of other tests: a test selects its own by their keys. A test that stops a broker starts it again.
 */
public final class TestBrokers {

    private static final Mono<RunningBroker> KAFKA = Mono.fromSupplier(
                    () -> Docker.kafka().orElseGet(LocalBrokers::kafka))
            .cache();

    private static final Mono<RunningBroker> MONGODB = Mono.fromSupplier(
                    () -> Docker.mongodb().orElseGet(LocalBrokers::mongodb))
            .cache();

    private TestBrokers() {}

    /** Kafka does not create topics at their first use; {@link dev.ligeiro.testing.kafka.TestTopics} creates them. */
    public static String kafkaBootstrapServers() {
        return started(KAFKA).address();
    }

    /** The URI of a database of this name on a replica set. */
    public static String mongodbUri(String database) {
        return started(MONGODB).address().formatted(database);
    }

    /** For tests of an outage. */
    public static TestBroker kafka() {
        return started(KAFKA).broker();
    }

    /** For tests of an outage. */
    public static TestBroker mongodb() {
        return started(MONGODB).broker();
    }

    /** @throws RuntimeException at every use, when the first use could not start it: its message says why */
    private static RunningBroker started(Mono<RunningBroker> broker) {
        return broker.blockOptional().orElseThrow();
    }
}
