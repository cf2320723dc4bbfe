package dev.ligeiro.infra.launcher.options;

import dev.ligeiro.infra.launcher.terminal.CannotStartException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The command line of {@code infra/run}, read by picocli. */
@Command(
        name = "infra/run",
        header =
                "Runs Ligeiro on this machine (Linux x86-64): Kafka, MongoDB and the three services, until Ctrl-C or SIGTERM.",
        footer = {
            "",
            "Choose ports below 32768: Linux gives higher ones to outgoing connections.",
            "Environment: LIGEIRO_MONGOD is the path of a mongod; the services take all Spring Boot settings, such as LIGEIRO_ISPB,",
            "but those of ports, of the addresses of MongoDB, Kafka, health and metrics, and of the names of log files."
        },
        headerHeading = "",
        synopsisHeading = "%nusage: ",
        optionListHeading = "%n",
        customSynopsis = "infra/run [options]",
        sortOptions = false,
        usageHelpWidth = 120)
public final class LaunchCommand {

    private static final String MANAGEMENT_PORT_HELP =
            "first management port (default: 8081): gateway 8081, processor 8082, webhook-dispatcher 8083; further instances take"
                    + " the next free ports";

    @Option(
            names = "--home",
            paramLabel = "DIR",
            description = "folder of data, logs and demo.env (default: .ligeiro in the checkout)")
    private @Nullable Path home;

    @Option(
            names = "--gateway",
            paramLabel = "N",
            defaultValue = "1",
            description = "instances of the gateway (default: 1)")
    private int gateways;

    @Option(
            names = "--processor",
            paramLabel = "N",
            defaultValue = "1",
            description = "instances of the processor (default: 1)")
    private int processors;

    @Option(
            names = "--webhook-dispatcher",
            paramLabel = "N",
            defaultValue = "1",
            description = "instances of the webhook-dispatcher (default: 1)")
    private int webhookDispatchers;

    @Option(names = "--port", paramLabel = "N", defaultValue = "8080", description = "port of the API (default: 8080)")
    private int port;

    @Option(names = "--management-port", paramLabel = "N", defaultValue = "8081", description = MANAGEMENT_PORT_HELP)
    private int managementPort;

    @Option(
            names = "--kafka-port",
            paramLabel = "N",
            defaultValue = "9192",
            description = "port of Kafka (default: 9192); its controller takes the next port")
    private int kafkaPort;

    @Option(
            names = "--mongodb-port",
            paramLabel = "N",
            defaultValue = "27117",
            description = "port of MongoDB (default: 27117)")
    private int mongodbPort;

    @Option(
            names = "--mongodb-cache-gb",
            paramLabel = "N",
            defaultValue = "1",
            description = "size of MongoDB's cache in GB (default: 1)")
    private double mongodbCacheGigabytes;

    @Option(
            names = "--mongodb-uri",
            paramLabel = "URI",
            description = "use this MongoDB (6.0 or later, a replica set) instead of starting one")
    private @Nullable String mongodbUri;

    @Option(
            names = "--kafka-bootstrap-servers",
            paramLabel = "LIST",
            description = "use this Kafka instead of starting one")
    private @Nullable String kafkaBootstrapServers;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "print this help")
    private boolean help;

    private LaunchCommand() {}

    /**
     * Prints the help to {@code out} and returns nothing when the arguments have {@code --help}.
     *
     * @throws CannotStartException with the option, its value and the expected values
     */
    public static Optional<Options> parse(Path defaultHome, PrintWriter out, String... arguments) {
        LaunchCommand command = new LaunchCommand();
        CommandLine line = new CommandLine(command).setExpandAtFiles(false);
        try {
            line.parseArgs(arguments);
        } catch (ParameterException e) {
            throw new CannotStartException(e.getMessage() + "; see --help", e);
        }
        if (command.help) {
            line.usage(out);
            return Optional.empty();
        }
        return Optional.of(command.options(defaultHome));
    }

    private Options options(Path defaultHome) {
        return new Options(
                (home == null ? defaultHome : home).toAbsolutePath().normalize(),
                gateways,
                processors,
                webhookDispatchers,
                port,
                managementPort,
                kafkaPort,
                mongodbPort,
                mongodbCacheGigabytes,
                Optional.ofNullable(mongodbUri),
                Optional.ofNullable(kafkaBootstrapServers));
    }
}
