package dev.ligeiro.testing.brokers;

import dev.ligeiro.infra.brokers.Broker;
import dev.ligeiro.infra.brokers.DeepDelete;
import dev.ligeiro.infra.brokers.LocalBroker;
import dev.ligeiro.infra.brokers.LocalKafka;
import dev.ligeiro.infra.brokers.LocalMongod;
import dev.ligeiro.infra.brokers.MongodBinary;
import dev.ligeiro.infra.brokers.Ports;
import dev.ligeiro.infra.brokers.ProjectRoot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The brokers as processes of this machine, on free ports and with data in a temporary folder, gone with this JVM. */
final class LocalBrokers {

    private static final double CACHE_GIGABYTES = 0.25;

    private LocalBrokers() {}

    static RunningBroker kafka() {
        Path home = temporaryFolder("kafka");
        LocalKafka kafka = new LocalKafka(ProjectRoot.kafkaJars(ProjectRoot.find()), home, Ports.free(), Ports.free());
        return started(new LocalBroker(kafka), kafka.bootstrapServers(), home);
    }

    static RunningBroker mongodb() {
        Path home = temporaryFolder("mongod");
        LocalMongod mongod = new LocalMongod(MongodBinary.find(), home, Ports.free(), CACHE_GIGABYTES);
        return started(new LocalBroker(mongod), mongod.uri("%s"), home);
    }

    private static RunningBroker started(LocalBroker broker, String address, Path home) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> endAndForget(broker, home), "end-" + home.getFileName()));
        broker.start();
        System.out.printf("TestBrokers: no Docker here, so %s is pid %d of this machine%n", address, broker.pid());
        return new RunningBroker(broker, address);
    }

    private static void endAndForget(Broker broker, Path home) {
        broker.kill();
        try {
            DeepDelete.delete(home);
        } catch (IOException e) {
            System.err.println("TestBrokers: " + home + " is left: " + e.getMessage());
        }
    }

    private static Path temporaryFolder(String name) {
        try {
            return Files.createTempDirectory("ligeiro-" + name + "-");
        } catch (IOException e) {
            throw new UncheckedIOException("no temporary folder for " + name, e);
        }
    }
}
