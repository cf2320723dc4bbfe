package dev.ligeiro.infra.launcher;

import dev.ligeiro.infra.brokers.LocalKafka;
import dev.ligeiro.infra.brokers.LocalMongod;
import dev.ligeiro.infra.brokers.LocalProcess;
import dev.ligeiro.infra.brokers.MongodBinary;
import dev.ligeiro.infra.brokers.ProjectRoot;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The brokers of a run.
 *
 * @param local the brokers to start; an external one is not among them
 */
record Brokers(List<LocalProcess> local, String mongodbUri, String kafkaBootstrapServers) {

    private static final String DATABASE = "ligeiro";

    static Brokers of(Options options, Home home, Path root) {
        List<LocalProcess> local = new ArrayList<>();
        String mongodbUri = options.mongodbUri;
        if (mongodbUri == null) {
            LocalMongod mongod = new LocalMongod(
                    MongodBinary.find(), home.mongod(), options.mongodbPort, options.mongodbCacheGigabytes);
            local.add(mongod);
            mongodbUri = mongod.uri(DATABASE);
        }
        String kafkaBootstrapServers = options.kafkaBootstrapServers;
        if (kafkaBootstrapServers == null) {
            LocalKafka kafka =
                    new LocalKafka(ProjectRoot.kafkaJars(root), home.kafka(), options.kafkaPort, options.kafkaPort + 1);
            local.add(kafka);
            kafkaBootstrapServers = kafka.bootstrapServers();
        }
        return new Brokers(List.copyOf(local), mongodbUri, kafkaBootstrapServers);
    }

    /** Without MongoDB's URI, which may have a password. */
    @Override
    public String toString() {
        return "Brokers[" + kafkaBootstrapServers + "]";
    }
}
