package dev.ligeiro.infra.launcher.options;

import dev.ligeiro.infra.launcher.terminal.CannotStartException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The options of one run: instances of each service, folder, ports, external brokers.
 *
 * @param managementPort the first of the management ports: gateway, processor and webhook-dispatcher take it and the two
 *     after it, further instances free ports above
 * @param kafkaPort the port of Kafka's clients; its controller takes the port after it
 * @param mongodbUri an existing MongoDB, used instead of a local mongod
 * @param kafkaBootstrapServers an existing Kafka, used instead of a local one
 */
public record Options(
        Path home,
        int gateways,
        int processors,
        int webhookDispatchers,
        int port,
        int managementPort,
        int kafkaPort,
        int mongodbPort,
        double mongodbCacheGigabytes,
        Optional<String> mongodbUri,
        Optional<String> kafkaBootstrapServers) {

    private static final int INSTANCES_MAX = 32;
    private static final double MONGODB_CACHE_GIGABYTES_MIN = 0.25;

    public Options {
        requireInstances("--gateway", gateways);
        requireInstances("--processor", processors);
        requireInstances("--webhook-dispatcher", webhookDispatchers);
        Map<Integer, String> optionsByPort = new HashMap<>();
        portsByOption(port, managementPort, kafkaPort, mongodbPort)
                .forEach((option, ports) -> ports.forEach(each -> requireOwnPort(option, each, optionsByPort)));
        if (!(mongodbCacheGigabytes >= MONGODB_CACHE_GIGABYTES_MIN)) {
            throw new CannotStartException("--mongodb-cache-gb: %s (expected: %s or more)"
                    .formatted(mongodbCacheGigabytes, MONGODB_CACHE_GIGABYTES_MIN));
        }
        mongodbUri.ifPresent(Options::requireMongodbUri);
        kafkaBootstrapServers.ifPresent(Options::requireBootstrapServers);
    }

    /** The address of the API. */
    public String publicUrl() {
        return "http://localhost:" + port;
    }

    /** The address of the admin API. */
    public String adminUrl() {
        return "http://127.0.0.1:" + managementPort;
    }

    /** The ports of the brokers and of the first instances, by the option that sets them. */
    public Map<String, List<Integer>> ports() {
        return portsByOption(port, managementPort, kafkaPort, mongodbPort);
    }

    /** Without MongoDB's URI, which may have a password. */
    @Override
    public String toString() {
        return "Options[" + home + "]";
    }

    private static Map<String, List<Integer>> portsByOption(int http, int management, int kafka, int mongodb) {
        Map<String, List<Integer>> ports = new LinkedHashMap<>();
        ports.put("--port", List.of(http));
        ports.put("--management-port", List.of(management, management + 1, management + 2));
        ports.put("--kafka-port", List.of(kafka, kafka + 1));
        ports.put("--mongodb-port", List.of(mongodb));
        return ports;
    }

    private static void requireInstances(String option, int count) {
        if (count < 1 || count > INSTANCES_MAX) {
            throw new CannotStartException("%s: %d (expected: 1 to %d)".formatted(option, count, INSTANCES_MAX));
        }
    }

    private static void requireOwnPort(String option, int port, Map<Integer, String> optionsByPort) {
        if (port < 1 || port > 65_535) {
            throw new CannotStartException("%s: %d (expected: ports from 1 to 65535)".formatted(option, port));
        }
        String other = optionsByPort.put(port, option);
        if (other != null) {
            throw new CannotStartException(
                    "%s: %d (expected: a port that %s does not use; see --help)".formatted(option, port, other));
        }
    }

    private static void requireMongodbUri(String uri) {
        if (!uri.startsWith("mongodb://") && !uri.startsWith("mongodb+srv://")) {
            throw new CannotStartException("--mongodb-uri: %s (expected: mongodb://...)".formatted(uri));
        }
    }

    private static void requireBootstrapServers(String servers) {
        if (servers.isBlank()) {
            throw new CannotStartException("--kafka-bootstrap-servers: its value is missing (expected: host:port,...)");
        }
    }
}
