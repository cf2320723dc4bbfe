package dev.ligeiro.testing.brokers;

import dev.ligeiro.infra.brokers.LocalKafka;
import dev.ligeiro.infra.brokers.LocalMongod;
import dev.ligeiro.infra.brokers.LocalProcess;
import dev.ligeiro.infra.brokers.MongodBinary;
import dev.ligeiro.infra.brokers.Ports;
import dev.ligeiro.infra.brokers.ProjectRoot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Starts the brokers as local processes, one pair for all test JVMs of a {@link Build}. They are killed and deleted at its end. */
final class LocalBrokers {

    private static final double CACHE_GIGABYTES = 0.25;

    /** A killed broker is ready again after about 3 s less. A test may give its consumer group a session time-out from 1 s. */
    private static final Map<String, String> SHORT_SESSIONS = Map.of(
            "broker.heartbeat.interval.ms", "250",
            "broker.session.timeout.ms", "1000",
            "group.consumer.min.session.timeout.ms", "1000",
            "group.consumer.min.heartbeat.interval.ms", "250");

    private LocalBrokers() {}

    static RunningBroker kafka() {
        Build build = Build.current();
        LocalKafka kafka = new LocalKafka(
                ProjectRoot.kafkaJars(ProjectRoot.find()),
                build.file("kafka"),
                port(build, "kafka"),
                port(build, "kafka-controller"),
                SHORT_SESSIONS);
        return started(build, kafka, kafka.bootstrapServers());
    }

    static RunningBroker mongodb() {
        Build build = Build.current();
        LocalMongod mongod =
                new LocalMongod(MongodBinary.find(), build.file("mongod"), port(build, "mongod"), CACHE_GIGABYTES);
        return started(build, mongod, mongod.uri("%s"));
    }

    private static RunningBroker started(Build build, LocalProcess process, String address) {
        ProcessBroker broker = new ProcessBroker(build, process);
        broker.start();
        System.out.printf(
                "TestBrokers: %s is a local process with pid %d, since there is no Docker%n", address, broker.pid());
        return new RunningBroker(broker, address);
    }

    /** The port, chosen by the first test JVM of the build. */
    private static int port(Build build, String name) {
        Path file = build.file(name + ".port");
        build.locked(() -> {
            if (!Files.exists(file)) {
                write(file, Ports.free());
            }
        });
        try {
            return Integer.parseInt(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(Path file, int port) {
        try {
            Files.writeString(file, Integer.toString(port));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
