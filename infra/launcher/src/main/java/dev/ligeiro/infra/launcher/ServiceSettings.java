package dev.ligeiro.infra.launcher;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the services on one machine, as environment variables like those of a container. The services inherit the launcher's
 * environment too, and what it sets takes precedence over all but what the launcher owns.
 */
final class ServiceSettings {

    private static final String KAFKA_PARTITIONS = "LIGEIRO_KAFKA_PARTITIONS";
    private static final String SIGNING_KEYS = "LIGEIRO_BUNDLE_SIGNING_KEYS";
    private static final String LOOPBACK = "127.0.0.1";
    private static final String LOOPBACK_NETWORKS = "127.0.0.0/8,::1/128";
    /** More than the default: here lists take cores from everything else, not only from mongod. */
    private static final String LONG_READS_REST = "8";

    /** With its default number of arenas, glibc keeps freed memory. */
    private static final String MALLOC_ARENAS = "2";

    private final Options options;
    private final Brokers brokers;
    private final @Nullable DemoBank bank;
    private final Path logs;
    private final String adminToken;
    private final String webhookSecretKeys;
    private final String bundleSigningKey;
    private final Set<String> inherited;

    /** @param inherited the names of the variables in the launcher's environment */
    ServiceSettings(
            Options options,
            Brokers brokers,
            @Nullable DemoBank bank,
            Path logs,
            String adminToken,
            String webhookSecretKeys,
            String bundleSigningKey,
            Set<String> inherited) {
        this.options = options;
        this.brokers = brokers;
        this.bank = bank;
        this.logs = logs;
        this.adminToken = adminToken;
        this.webhookSecretKeys = webhookSecretKeys;
        this.bundleSigningKey = bundleSigningKey;
        this.inherited = Set.copyOf(inherited);
    }

    /** The variables that are added to the environment of an instance. */
    Map<String, String> of(ServiceKind kind, String name, int managementPort) {
        Map<String, String> settings = new HashMap<>(logging());
        settings.put("MALLOC_ARENA_MAX", MALLOC_ARENAS);
        settings.putAll(
                switch (kind) {
                    case GATEWAY -> gateway();
                    case PROCESSOR -> processor();
                    case WEBHOOK_DISPATCHER -> merchantFacing();
                    case DESK -> desk();
                });
        settings.keySet().removeAll(inherited);
        settings.putAll(owned(name));
        if (brokers.security() != null) {
            settings.putAll(brokers.security().settings(kind));
        }
        settings.putAll(
                switch (kind) {
                    case GATEWAY -> ports(managementPort);
                    case PROCESSOR, WEBHOOK_DISPATCHER -> onlyPort(managementPort);
                    case DESK -> deskPorts();
                });
        return Map.copyOf(settings);
    }

    /** The same of a processor, with the port at which it takes the bank's notices. */
    Map<String, String> ofProcessor(String name, int managementPort, int noticePort) {
        Map<String, String> settings = new HashMap<>(of(ServiceKind.PROCESSOR, name, managementPort));
        settings.put("LIGEIRO_NOTICES_PORT", Integer.toString(noticePort));
        return Map.copyOf(settings);
    }

    /** What the launcher's environment cannot change: the launcher waits for these addresses, or they differ between instances. */
    private Map<String, String> owned(String name) {
        return Map.of(
                "SPRING_MONGODB_URI", brokers.mongodbUri(),
                "SPRING_KAFKA_BOOTSTRAP_SERVERS", brokers.kafkaBootstrapServers(),
                "LOGGING_FILE_NAME", logs.resolve(name + ".log").toString());
    }

    /** The API may be open to the network; health and metrics are open to this machine only. */
    private Map<String, String> ports(int managementPort) {
        return Map.of(
                "MANAGEMENT_SERVER_PORT", Integer.toString(managementPort),
                "SERVER_PORT", Integer.toString(options.port),
                "LIGEIRO_HTTP_REUSE_PORT", Boolean.toString(options.gateways > 1),
                "MANAGEMENT_SERVER_ADDRESS", LOOPBACK);
    }

    /** Of a service without an API: health and metrics, open to this machine only. */
    private static Map<String, String> onlyPort(int managementPort) {
        return Map.of(
                "MANAGEMENT_SERVER_PORT", Integer.toString(managementPort),
                "SERVER_PORT", Integer.toString(managementPort),
                "SERVER_ADDRESS", LOOPBACK);
    }

    /** Both are open to this machine only; the merchants' console has a setting of its own. */
    private Map<String, String> deskPorts() {
        return Map.of(
                "SERVER_PORT", Integer.toString(options.deskPort()),
                "SERVER_ADDRESS", LOOPBACK,
                "LIGEIRO_CONSOLE_PORT", Integer.toString(options.consolePort()),
                "LIGEIRO_GATEWAY_URL", options.publicUrl());
    }

    private Map<String, String> desk() {
        Map<String, String> settings = new HashMap<>(merchantFacing());
        settings.put("LIGEIRO_ADMIN_TOKEN", adminToken);
        settings.put(SIGNING_KEYS, bundleSigningKey);
        // scripts that make a merchant for a trial pay out at once; money moves at the bank of --bank only
        settings.put("LIGEIRO_CASHOUTS_BEGIN_STOPPED", "false");
        if (bank != null) {
            settings.put("LIGEIRO_RAILS_ROUTES_0_RAIL", DemoBank.RAIL);
        }
        return settings;
    }

    private Map<String, String> gateway() {
        Map<String, String> settings = new HashMap<>(merchantFacing());
        settings.put("LIGEIRO_CONSOLE_URL", options.consoleUrl());
        settings.put(SIGNING_KEYS, bundleSigningKey);
        settings.put("LIGEIRO_RATE_LIMITS_ENABLED", "false");
        // clients of a single gateway have no other one to go to
        settings.put("LIGEIRO_HTTP_DRAIN_TIME", options.gateways > 1 ? "2s" : "0s");
        settings.put("LIGEIRO_LONG_READS_QUERIES_MAX", queriesMax());
        settings.put("LIGEIRO_LONG_READS_REST", LONG_READS_REST);
        if (bank != null) {
            settings.put("LIGEIRO_RAILS_ROUTES_0_RAIL", DemoBank.RAIL);
        }
        return settings;
    }

    /** The lists of all gateways together keep half of the machine's cores busy in mongod. The other half is for creates. */
    private String queriesMax() {
        int cores = Runtime.getRuntime().availableProcessors();
        return Integer.toString(Math.max(1, cores / 2 / options.gateways));
    }

    private Map<String, String> processor() {
        Map<String, String> settings = new HashMap<>(Map.of(
                KAFKA_PARTITIONS,
                Integer.toString(options.kafkaPartitions()),
                "LIGEIRO_KAFKA_REPLICAS",
                Integer.toString(options.kafkaBrokers)));
        if (bank != null) {
            settings.putAll(bank.account(options.noticePort(), options.processors));
        }
        return settings;
    }

    /**
     * The partitions that the processors ask for.
     *
     * @throws CannotStartException when the launcher's environment sets no number from 1
     */
    static int kafkaPartitions(Options options, Map<String, String> environment) {
        String set = environment.getOrDefault(KAFKA_PARTITIONS, Integer.toString(options.kafkaPartitions()));
        if (!set.matches("[1-9]\\d{0,4}")) {
            throw new CannotStartException("%s: %s (expected: 1 to 99999)".formatted(KAFKA_PARTITIONS, set));
        }
        return Integer.parseInt(set);
    }

    /** Webhooks may go to this machine, where the README's receiver runs. */
    private Map<String, String> merchantFacing() {
        return Map.of(
                "LIGEIRO_PUBLIC_URL", options.publicUrl(),
                "LIGEIRO_WEBHOOK_ALLOWED_NETWORKS", LOOPBACK_NETWORKS,
                "LIGEIRO_WEBHOOK_SECRET_KEYS", webhookSecretKeys);
    }

    /** Log files have a bounded size. Warnings also go to standard output, whose end the launcher shows when a start fails. */
    private static Map<String, String> logging() {
        return Map.of(
                "LOGGING_LOGBACK_ROLLINGPOLICY_MAX_FILE_SIZE", "20MB",
                "LOGGING_LOGBACK_ROLLINGPOLICY_TOTAL_SIZE_CAP", "100MB",
                "LOGGING_THRESHOLD_CONSOLE", "WARN",
                "SPRING_MAIN_BANNER_MODE", "off");
    }
}
