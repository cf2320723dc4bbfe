package dev.ligeiro.testing.brokers;

import dev.ligeiro.infra.brokers.LocalKafka;
import dev.ligeiro.infra.brokers.LocalMongod;
import dev.ligeiro.infra.brokers.LocalProcess;
import dev.ligeiro.infra.brokers.MongodBinary;
import dev.ligeiro.infra.brokers.Ports;
import dev.ligeiro.infra.brokers.ProjectRoot;
import java.util.Map;

/** Starts the brokers as local processes of this test JVM. They are killed, and their data is deleted, at its end. */
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
        LocalKafka kafka = new LocalKafka(
                ProjectRoot.kafkaJars(ProjectRoot.find()),
                Folder.OF_THIS_JVM.file("kafka"),
                Ports.free(),
                Ports.free(),
                SHORT_SESSIONS);
        return started(kafka, kafka.bootstrapServers());
    }

    static RunningBroker mongodb() {
        LocalMongod mongod =
                new LocalMongod(MongodBinary.find(), Folder.OF_THIS_JVM.file("mongod"), Ports.free(), CACHE_GIGABYTES);
        return started(mongod, mongod.uri("%s"));
    }

    private static RunningBroker started(LocalProcess process, String address) {
        ProcessBroker broker = new ProcessBroker(Folder.OF_THIS_JVM, process);
        broker.start();
        System.out.printf(
                "TestBrokers: %s is a local process with pid %d, since there is no Docker%n", address, broker.pid());
        return new RunningBroker(broker, address);
    }

    private static final class Folder {
        static final BrokerFolder OF_THIS_JVM = BrokerFolder.of(ProcessHandle.current());
    }
}
