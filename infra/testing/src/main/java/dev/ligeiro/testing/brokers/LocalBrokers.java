package dev.ligeiro.testing.brokers;

import dev.ligeiro.infra.brokers.LocalKafka;
import dev.ligeiro.infra.brokers.LocalMongod;
import dev.ligeiro.infra.brokers.LocalProcess;
import dev.ligeiro.infra.brokers.MongodBinary;
import dev.ligeiro.infra.brokers.Ports;
import dev.ligeiro.infra.brokers.ProjectRoot;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntFunction;

/** Starts the brokers as local processes of this test JVM. They are killed, and their data is deleted, at its end. */
final class LocalBrokers {

    private static final int ATTEMPTS = 3;
    private static final double CACHE_GIGABYTES = 0.25;

    /**
     * A killed broker is ready again after about 2 s less. With a shorter session of its own, a broker that a busy machine holds up would be
     * fenced, and then refuses to create topics. A test may give its consumers a session time-out from 1 s.
     */
    private static final Map<String, String> SHORT_SESSIONS = Map.of(
            "broker.heartbeat.interval.ms", "250",
            "broker.session.timeout.ms", "2000",
            "group.min.session.timeout.ms", "1000");

    private LocalBrokers() {}

    static RunningBroker kafka() {
        Path jars = ProjectRoot.kafkaJars(ProjectRoot.find());
        return started(
                attempt -> new LocalKafka(
                        jars, BrokerFolder.ofThisJvm().file("kafka-" + attempt), Ports.freeInARow(2), SHORT_SESSIONS),
                LocalKafka::bootstrapServers);
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
