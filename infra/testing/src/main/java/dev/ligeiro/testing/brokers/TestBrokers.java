package dev.ligeiro.testing.brokers;

import dev.ligeiro.infra.brokers.LocalKafka;
import dev.ligeiro.infra.brokers.LocalMongod;
import dev.ligeiro.infra.brokers.LocalProcess;
import dev.ligeiro.infra.brokers.MongodBinary;
import dev.ligeiro.infra.brokers.Ports;
import dev.ligeiro.infra.brokers.ProjectRoot;
import dev.ligeiro.testing.brokers.LocalBroker.BrokerFolder;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntFunction;
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

    /**
     * A broker that answers.
     *
     * @param address bootstrap servers, or a MongoDB URI with {@code %s} for the database
     */
    record RunningBroker(TestBroker broker, String address) {}

    /** Starts the brokers as local processes of this test JVM. They are killed, and their data is deleted, at its end. */
    static final class LocalBrokers {

        private static final int ATTEMPTS = 3;
        private static final double CACHE_GIGABYTES = 0.25;

        /**
         * A test may give its consumers a session time-out from 1 s. An idle broker writes no empty records: with six
         * brokers at once, that saves a build about a minute of CPU.
         */
        private static final Map<String, String> SETTINGS =
                Map.of("group.min.session.timeout.ms", "1000", "metadata.max.idle.interval.ms", "0");

        private LocalBrokers() {}

        static RunningBroker kafka() {
            Path jars = ProjectRoot.kafkaJars(ProjectRoot.find());
            Function<Integer, LocalKafka> ofAttempt = attempt -> new LocalKafka(
                    jars, BrokerFolder.ofThisJvm().file("kafka-" + attempt), Ports.freeInARow(2), SETTINGS);
            boolean writesArchive = !ofAttempt.apply(0).hasClassArchive();
            RunningBroker kafka = started(ofAttempt::apply, LocalKafka::bootstrapServers);
            if (writesArchive) {
                // a regular end writes the archive, with which the brokers of the next modules start with half the CPU
                Runtime.getRuntime().addShutdownHook(new Thread(kafka.broker()::stop, "stop-kafka"));
            }
            return kafka;
        }

        static RunningBroker mongodb() {
            Path binary = MongodBinary.find();
            return started(
                    attempt -> new LocalMongod(
                            binary, BrokerFolder.ofThisJvm().file("mongod-" + attempt), Ports.free(), CACHE_GIGABYTES),
                    mongod -> mongod.uri("%s"));
        }

        /**
         * Starts a new broker. One that cannot start is printed and given up for another one, with other ports: a port that was free when it
         * was chosen may be taken before the broker listens on it.
         *
         * @param newBroker makes the broker of an attempt, which starts at 1
         * @throws RuntimeException of the last attempt
         */
        static <P extends LocalProcess> RunningBroker started(IntFunction<P> newBroker, Function<P, String> address) {
            for (int attempt = 1; ; attempt++) {
                P process = newBroker.apply(attempt);
                LocalBroker broker = new LocalBroker(process);
                try {
                    broker.start();
                    System.out.printf(
                            "TestBrokers: %s is a local process with pid %d, since there is no Docker%n",
                            address.apply(process), broker.pid());
                    return new RunningBroker(broker, address.apply(process));
                } catch (RuntimeException e) {
                    System.out.printf("TestBrokers: attempt %d of %d: %s%n", attempt, ATTEMPTS, e.getMessage());
                    broker.kill();
                    if (attempt == ATTEMPTS) {
                        throw e;
                    }
                }
            }
        }
    }
}
