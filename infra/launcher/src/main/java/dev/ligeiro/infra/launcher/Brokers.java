package dev.ligeiro.infra.launcher;

import dev.ligeiro.infra.brokers.LocalKafka;
import dev.ligeiro.infra.brokers.LocalMongod;
import dev.ligeiro.infra.brokers.LocalProcess;
import dev.ligeiro.infra.brokers.MongodBinary;
import dev.ligeiro.infra.brokers.ProjectRoot;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The brokers of a run.
 *
 * @param local the brokers to start; an external one is not among them
 * @param security of {@code --secure}
 */
record Brokers(
        List<LocalProcess> local, String mongodbUri, String kafkaBootstrapServers, @Nullable BrokerSecurity security) {

    private static final String DATABASE = "ligeiro";

    static Brokers of(Options options, Home home, Path root) {
        List<LocalProcess> local = new ArrayList<>();
        BrokerSecurity security = options.secure ? BrokerSecurity.in(home) : null;
        String mongodbUri = options.mongodbUri;
        if (mongodbUri == null) {
            List<Integer> members = options.mongodbPorts();
            List<Path> homes = home.ofMembers("mongod", members.size(), "--mongodb-members");
            Path binary = MongodBinary.find();
            List<LocalMongod> mongods = IntStream.range(0, members.size())
                    .mapToObj(each -> new LocalMongod(
                            binary,
                            homes.get(each),
                            members.get(each),
                            members,
                            options.mongodbCacheGigabytes,
                            List.of(),
                            security == null ? null : security.mongod()))
                    .toList();
            local.addAll(mongods);
            mongodbUri = mongods.get(0).uri(DATABASE);
            if (security != null) {
                mongodbUri = security.withPassword(mongodbUri);
            }
        }
        String kafkaBootstrapServers = options.kafkaBootstrapServers;
        if (kafkaBootstrapServers == null) {
            List<Integer> members = options.kafkaPorts();
            List<Path> homes = home.ofMembers("kafka", members.size(), "--kafka-brokers");
            Path jars = ProjectRoot.kafkaJars(root);
            Map<String, String> overrides = security == null ? Map.of() : security.kafka();
            List<LocalKafka> nodes = IntStream.range(0, members.size())
                    .mapToObj(each -> new LocalKafka(jars, homes.get(each), members.get(each), members, overrides))
                    .toList();
            local.addAll(nodes);
            kafkaBootstrapServers = nodes.get(0).bootstrapServers();
        }
        return new Brokers(List.copyOf(local), mongodbUri, kafkaBootstrapServers, security);
    }

    /** With all rights: tools ask for the state of mongod too. */
    String mongodbUriOfTools() {
        return security == null ? mongodbUri : security.mongod().asMember(mongodbUri);
    }

    /** Null for the JVM's own. */
    @Nullable
    SSLContext mongodbTrust() {
        return security == null ? null : security.mongod().trust();
    }

    /** Without MongoDB's URI, which may have a password. */
    @Override
    public String toString() {
        return "Brokers[" + kafkaBootstrapServers + "]";
    }
}
