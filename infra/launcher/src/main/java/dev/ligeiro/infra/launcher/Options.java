package dev.ligeiro.infra.launcher;

import dev.ligeiro.infra.brokers.Ports;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/**
 * The command line of {@code infra/run}, read by picocli. {@code usage.txt} describes each option; {@code infra/run --help} prints it without
 * a build.
 */
@Command(name = "infra/run")
final class Options {

    /** Replication 3, of which one member may be missing. */
    static final int MEMBERS_MAX = 3;

    private static final int INSTANCES_MAX = 32;
    private static final int AOT_CACHE_SINCE = 25;
    private static final int DESK_PORT_OFFSET = 4;
    private static final double MONGODB_CACHE_GIGABYTES_MIN = 0.25;

    /** Few partitions keep a batch of records together; there is at least one for each consumer. */
    private static final int KAFKA_PARTITIONS_MIN = 2;

    /** Absolute. */
    @Option(names = "--home")
    Path home;

    @Option(names = "--gateway")
    int gateways = 1;

    @Option(names = "--processor")
    int processors = 1;

    @Option(names = "--webhook-dispatcher")
    int webhookDispatchers = 1;

    @Option(names = "--port")
    int port = 8080;

    @Option(names = "--management-port")
    int managementPort = 8081;

    @Option(names = "--desk-port")
    @Nullable
    Integer deskPort;

    @Option(names = "--kafka-port")
    int kafkaPort = 9192;

    @Option(names = "--kafka-brokers")
    int kafkaBrokers = 1;

    @Option(names = "--mongodb-port")
    int mongodbPort = 27117;

    @Option(names = "--mongodb-members")
    int mongodbMembers = 1;

    @Option(names = "--mongodb-cache-gb")
    double mongodbCacheGigabytes = 1;

    @Option(names = "--mongodb-uri")
    @Nullable
    String mongodbUri;

    @Option(names = "--kafka-bootstrap-servers")
    @Nullable
    String kafkaBootstrapServers;

    @Option(names = "--secure")
    boolean secure;

    @Option(names = "--bank")
    boolean bank;

    @Option(names = "--bank-port")
    int bankPort = 8443;

    @Option(names = "--train")
    boolean train;

    /** Of {@link ServiceProgram#ofImages}; absolute. */
    @Option(names = "--programs")
    @Nullable
    Path programs;

    private Options(Path defaultHome) {
        home = defaultHome;
    }

    /** @throws CannotStartException with the option, its value and the expected values */
    static Options parse(Path defaultHome, String... arguments) {
        Options options = new Options(defaultHome);
        try {
            new CommandLine(options).setExpandAtFiles(false).parseArgs(arguments);
        } catch (ParameterException e) {
            throw new CannotStartException(e.getMessage() + "; see --help", e);
        }
        options.home = options.home.toAbsolutePath().normalize();
        if (options.programs != null) {
            options.programs = options.programs.toAbsolutePath().normalize();
        }
        options.requireValid();
        return options;
    }

    /** The address of the API. */
    String publicUrl() {
        return "http://localhost:" + port;
    }

    int deskPort() {
        return deskPort == null ? managementPort + DESK_PORT_OFFSET : deskPort;
    }

    int consolePort() {
        return deskPort() + 1;
    }

    /** The address of the operators' API. */
    String adminUrl() {
        return "http://127.0.0.1:" + deskPort();
    }

    /** The address of the merchants' console. */
    String consoleUrl() {
        return "http://localhost:" + consolePort();
    }

    /** The port for the bank's notices at the first processor. */
    int noticePort() {
        return managementPort + ServiceKind.DESK.ordinal();
    }

    /** The ports of the brokers, of the bank and of the first instances, by the option that sets them. */
    Map<String, List<Integer>> ports() {
        Map<String, List<Integer>> ports = new LinkedHashMap<>();
        ports.put("--port", List.of(port));
        ports.put(
                "--management-port",
                IntStream.rangeClosed(managementPort, bank ? noticePort() : noticePort() - 1)
                        .boxed()
                        .toList());
        ports.put("--desk-port", List.of(deskPort(), consolePort()));
        ports.put(
                "--kafka-port",
                IntStream.range(kafkaPort, kafkaPort + 2 * kafkaBrokers).boxed().toList());
        ports.put("--mongodb-port", mongodbPorts());
        if (bank) {
            ports.put("--bank-port", List.of(bankPort, bankPort + 1));
        }
        return ports;
    }

    /** The ports of Kafka's clients. The next port of each is its controller's. */
    List<Integer> kafkaPorts() {
        return IntStream.range(0, kafkaBrokers)
                .map(each -> kafkaPort + 2 * each)
                .boxed()
                .toList();
    }

    /** Of the topics of commands and events. */
    int kafkaPartitions() {
        return Math.max(KAFKA_PARTITIONS_MIN, Math.max(processors, webhookDispatchers));
    }

    List<Integer> mongodbPorts() {
        return IntStream.range(mongodbPort, mongodbPort + mongodbMembers)
                .boxed()
                .toList();
    }

    void requireFreePorts() {
        requireFreePorts(Ports::isFree);
    }

    /** @throws CannotStartException naming the port and the option that changes it */
    void requireFreePorts(IntPredicate free) {
        Map<String, List<Integer>> needed = ports();
        if (kafkaBootstrapServers != null) {
            needed.remove("--kafka-port");
        }
        if (mongodbUri != null) {
            needed.remove("--mongodb-port");
        }
        needed.forEach((option, ports) -> ports.stream()
                .filter(each -> !free.test(each))
                .findFirst()
                .ifPresent(taken -> {
                    throw new CannotStartException(
                            "port %d is taken by another process: free it, or choose another with %s"
                                    .formatted(taken, option));
                }));
    }

    private void requireValid() {
        requireInstances("--gateway", gateways);
        requireInstances("--processor", processors);
        requireInstances("--webhook-dispatcher", webhookDispatchers);
        requireMembers("--kafka-brokers", kafkaBrokers);
        requireMembers("--mongodb-members", mongodbMembers);
        if (programs != null) {
            requirePrograms(programs);
        }
        require(
                !train || programs != null || Runtime.version().feature() >= AOT_CACHE_SINCE,
                "--train: Java %d writes no ahead-of-time cache (expected: %d or newer)",
                Runtime.version().feature(),
                AOT_CACHE_SINCE);
        Map<Integer, String> optionsByPort = new HashMap<>();
        ports().forEach((option, ports) -> ports.forEach(each -> requireOwnPort(option, each, optionsByPort)));
        require(
                mongodbCacheGigabytes >= MONGODB_CACHE_GIGABYTES_MIN,
                "--mongodb-cache-gb: %s (expected: %s or more)",
                mongodbCacheGigabytes,
                MONGODB_CACHE_GIGABYTES_MIN);
        require(
                mongodbUri == null || mongodbUri.matches("mongodb(\\+srv)?://.*"),
                "--mongodb-uri: %s (expected: mongodb://...)",
                mongodbUri);
        require(
                kafkaBootstrapServers == null || !kafkaBootstrapServers.isBlank(),
                "--kafka-bootstrap-servers: its value is missing (expected: host:port,...)");
        require(
                !secure || mongodbUri == null,
                "--secure: not with --mongodb-uri (expected: a MongoDB that this command starts)");
        require(
                !secure || kafkaBootstrapServers == null,
                "--secure: not with --kafka-bootstrap-servers (expected: a Kafka that this command starts)");
    }

    private static void requireInstances(String option, int count) {
        require(count >= 1 && count <= INSTANCES_MAX, "%s: %d (expected: 1 to %d)", option, count, INSTANCES_MAX);
    }

    private static void requireMembers(String option, int count) {
        require(count == 1 || count == MEMBERS_MAX, "%s: %d (expected: 1 or %d)", option, count, MEMBERS_MAX);
    }

    private static void requirePrograms(Path folder) {
        Stream<String> jars = Stream.of(ServiceKind.values()).map(kind -> kind.module() + "/service.jar");
        Stream.concat(Stream.of("jre/bin/java"), jars)
                .forEach(file -> require(
                        Files.exists(folder.resolve(file)),
                        "--programs: %s has no %s (expected: a folder that infra/images has made)",
                        folder,
                        file));
    }

    private static void requireOwnPort(String option, int port, Map<Integer, String> optionsByPort) {
        require(port >= 1 && port <= 65_535, "%s: %d (expected: ports from 1 to 65535)", option, port);
        String other = optionsByPort.put(port, option);
        require(other == null, "%s: %d (expected: a port that %s does not use; see --help)", option, port, other);
    }

    private static void require(boolean condition, String message, @Nullable Object... values) {
        if (!condition) {
            throw new CannotStartException(message.formatted(values));
        }
    }
}
