package dev.ligeiro.infra.launcher;

import dev.ligeiro.infra.brokers.LocalKafka;
import dev.ligeiro.infra.brokers.LocalMongod;
import dev.ligeiro.infra.brokers.LocalProcess;
import dev.ligeiro.infra.brokers.MongodBinary;
import dev.ligeiro.infra.brokers.ProjectRoot;
import dev.ligeiro.infra.launcher.home.Home;
import dev.ligeiro.infra.launcher.options.Options;
import dev.ligeiro.infra.launcher.service.BrokerAddresses;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The brokers of a run.
 *
 * @param local the brokers to start; an external one is not among them
 */
record Brokers(List<LocalProcess> local, BrokerAddresses addresses) {

    private static final String DATABASE = "ligeiro";

    static Brokers of(Options options, Home home, Path root) {
        List<LocalProcess> local = new ArrayList<>();
        String mongodbUri = options.mongodbUri().orElseGet(() -> {
            LocalMongod mongod = new LocalMongod(
                    MongodBinary.find(), home.mongod(), options.mongodbPort(), options.mongodbCacheGigabytes());
            local.add(mongod);
            return mongod.uri(DATABASE);
        });
        String kafkaBootstrapServers = options.kafkaBootstrapServers().orElseGet(() -> {
            LocalKafka kafka = new LocalKafka(
                    ProjectRoot.kafkaJars(root), home.kafka(), options.kafkaPort(), options.kafkaPort() + 1);
            local.add(kafka);
            return kafka.bootstrapServers();
        });
        return new Brokers(List.copyOf(local), new BrokerAddresses(mongodbUri, kafkaBootstrapServers));
    }
}
