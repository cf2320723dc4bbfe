package dev.ligeiro.infra.launcher;

import dev.ligeiro.infra.brokers.Ports;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The command line of {@code infra/run}, read by picocli. A field has the meaning of its option's description. */
@Command(
        name = "infra/run",
        header =
                "Runs Ligeiro on this machine (Linux x86-64): Kafka, MongoDB and the four services, until Ctrl-C or SIGTERM.",
        footer = {
            "",
            "Choose ports below 32768: Linux gives higher ones to outgoing connections.",
            "Environment: LIGEIRO_MONGOD is the path of a mongod; the services take all Spring Boot settings, such as LIGEIRO_ISPB,",
            "but those of ports, of the addresses of MongoDB, Kafka, health and metrics, and of the names of log files.",
            "The live cashouts of a new merchant are open at once here; elsewhere an operator opens them first",
            "(LIGEIRO_CASHOUTS_BEGIN_STOPPED=true)."
        },
        headerHeading = "",
        synopsisHeading = "%nusage: ",
        optionListHeading = "%n",
        customSynopsis = "infra/run [options]",
        sortOptions = false,
        usageHelpWidth = 120)
final class Options {

    /** Replication 3, of which one member may be missing. */
    static final int MEMBERS_MAX = 3;

    private static final int INSTANCES_MAX = 32;
    private static final int DESK_PORT_OFFSET = 4;
    private static final double MONGODB_CACHE_GIGABYTES_MIN = 0.25;
    private static final String MANAGEMENT_PORT_HELP =
            "first management port (default: 8081): gateway 8081, processor 8082, webhook-dispatcher 8083, and with --bank 8084"
                    + " for the bank's notices; further instances take the next free ports";

    /** Absolute. */
    @Option(
            names = "--home",
            paramLabel = "DIR",
            description = "folder of data, logs and demo.env (default: .ligeiro in the checkout)")
    Path home;

    @Option(
            names = "--gateway",
            paramLabel = "N",
            defaultValue = "1",
            description = "instances of the gateway (default: 1)")
    int gateways;

    @Option(
            names = "--processor",
            paramLabel = "N",
            defaultValue = "1",
            description = "instances of the processor (default: 1)")
    int processors;

    @Option(
            names = "--webhook-dispatcher",
            paramLabel = "N",
            defaultValue = "1",
            description = "instances of the webhook-dispatcher (default: 1)")
    int webhookDispatchers;

    @Option(names = "--port", paramLabel = "N", defaultValue = "8080", description = "port of the API (default: 8080)")
    int port;

    @Option(names = "--management-port", paramLabel = "N", defaultValue = "8081", description = MANAGEMENT_PORT_HELP)
    int managementPort;

    @Option(
            names = "--desk-port",
            paramLabel = "N",
            description =
                    "port of the operators' desk (default: the first management port + 4, 8085); the merchants' console takes the"
                            + " next one")
    @Nullable
    Integer deskPort;

    @Option(
            names = "--kafka-port",
            paramLabel = "N",
            defaultValue = "9192",
            description =
                    "port of Kafka (default: 9192); its controller takes the next port, and further brokers the next ones")
    int kafkaPort;

    @Option(
            names = "--kafka-brokers",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "Kafka brokers, 1 or 3 (default: 1); 3 keep every record three times, and one of them may fail")
    int kafkaBrokers;

    @Option(
            names = "--mongodb-port",
            paramLabel = "N",
            defaultValue = "27117",
            description = "port of MongoDB (default: 27117); further members take the next ones")
    int mongodbPort;

    @Option(
            names = "--mongodb-members",
            paramLabel = "N",
            defaultValue = "1",
            description = "members of MongoDB's replica set, 1 or 3 (default: 1); of 3 one may fail")
    int mongodbMembers;

    @Option(
            names = "--mongodb-cache-gb",
            paramLabel = "N",
            defaultValue = "1",
            description = "size of the cache of each MongoDB in GB (default: 1)")
    double mongodbCacheGigabytes;

    @Option(
            names = "--mongodb-uri",
            paramLabel = "URI",
            description = "use this MongoDB (6.0 or later, a replica set) instead of starting one")
    @Nullable
    String mongodbUri;

    @Option(
            names = "--kafka-bootstrap-servers",
            paramLabel = "LIST",
            description = "use this Kafka instead of starting one")
    @Nullable
    String kafkaBootstrapServers;

    @Option(
            names = "--bank",
            description = "also start a bank to try live mode with (infra/bank), and lead live mode to it")
    boolean bank;

    @Option(
            names = "--bank-port",
            paramLabel = "N",
            defaultValue = "8443",
            description = "port of the bank (default: 8443); its control port is the next one")
    int bankPort;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "print this help")
    private boolean help;

    private Options(Path defaultHome) {
        home = defaultHome;
    }

    /**
     * Prints the help to {@code out} and returns nothing when the arguments have {@code --help}.
     *
     * @throws CannotStartException with the option, its value and the expected values
     */
    static Optional<Options> parse(Path defaultHome, PrintWriter out, String... arguments) {
        Options options = new Options(defaultHome);
        CommandLine line = new CommandLine(options).setExpandAtFiles(false);
        try {
            line.parseArgs(arguments);
        } catch (ParameterException e) {
            throw new CannotStartException(e.getMessage() + "; see --help", e);
        }
        if (options.help) {
            line.usage(out);
            return Optional.empty();
        }
        options.home = options.home.toAbsolutePath().normalize();
        options.requireValid();
        return Optional.of(options);
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
    }

    private static void requireInstances(String option, int count) {
        require(count >= 1 && count <= INSTANCES_MAX, "%s: %d (expected: 1 to %d)", option, count, INSTANCES_MAX);
    }

    private static void requireMembers(String option, int count) {
        require(count == 1 || count == MEMBERS_MAX, "%s: %d (expected: 1 or %d)", option, count, MEMBERS_MAX);
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
