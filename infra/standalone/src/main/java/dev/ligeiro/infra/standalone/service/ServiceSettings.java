package dev.ligeiro.infra.standalone.service;

import dev.ligeiro.infra.standalone.options.Options;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The settings of the services on one machine, as environment variables like those of a container. */
final class ServiceSettings {

    /** Few partitions keep a batch of records together; there is at least one for each consumer. */
    private static final int KAFKA_PARTITIONS_MIN = 2;

    private static final String LOOPBACK = "127.0.0.0/8,::1/128";

    private final Options options;
    private final BrokerAddresses brokers;
    private final Path logs;
    private final ServiceSecrets secrets;

    ServiceSettings(Options options, BrokerAddresses brokers, Path logs, ServiceSecrets secrets) {
        this.options = options;
        this.brokers = brokers;
        this.logs = logs;
        this.secrets = secrets;
    }

    Map<String, String> of(ServiceKind kind, String name, int managementPort) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "SPRING_MONGODB_URI", brokers.mongodbUri(),
                "SPRING_KAFKA_BOOTSTRAP_SERVERS", brokers.kafkaBootstrapServers(),
                "MANAGEMENT_SERVER_PORT", Integer.toString(managementPort)));
        settings.putAll(logging(name));
        settings.putAll(
                switch (kind) {
                    case GATEWAY -> gateway();
                    case PROCESSOR -> processor();
                    case WEBHOOK_DISPATCHER -> webhookDispatcher();
                });
        return Map.copyOf(settings);
    }

    private Map<String, String> gateway() {
        Map<String, String> settings = new HashMap<>(merchantFacing());
        settings.put("SERVER_PORT", Integer.toString(options.port()));
        settings.put("LIGEIRO_ADMIN_TOKEN", secrets.adminToken());
        settings.put("LIGEIRO_RATE_LIMITS_ENABLED", given("LIGEIRO_RATE_LIMITS_ENABLED", "false"));
        settings.put("LIGEIRO_HTTP_REUSE_PORT", Boolean.toString(options.gateways() > 1));
        // clients of a single gateway have no other one to go to
        settings.put("LIGEIRO_HTTP_DRAIN_TIME", given("LIGEIRO_HTTP_DRAIN_TIME", options.gateways() > 1 ? "2s" : "0s"));
        settings.put("LIGEIRO_LONG_READS_QUERIES_MAX", given("LIGEIRO_LONG_READS_QUERIES_MAX", queriesMax()));
        settings.put("MANAGEMENT_SERVER_ADDRESS", "127.0.0.1");
        return settings;
    }

    /** The lists of all gateways together keep half of the machine's cores busy in mongod. The other half is for creates. */
    private String queriesMax() {
        int cores = Runtime.getRuntime().availableProcessors();
        return Integer.toString(Math.max(1, cores / 2 / options.gateways()));
    }

    /** Health and metrics, its only port, are open to this machine only. */
    private Map<String, String> processor() {
        int consumers = Math.max(options.processors(), options.webhookDispatchers());
        return Map.of(
                "LIGEIRO_KAFKA_PARTITIONS",
                given("LIGEIRO_KAFKA_PARTITIONS", Integer.toString(Math.max(KAFKA_PARTITIONS_MIN, consumers))),
                "SERVER_ADDRESS",
                "127.0.0.1");
    }

    private Map<String, String> webhookDispatcher() {
        Map<String, String> settings = new HashMap<>(merchantFacing());
        settings.put("SERVER_ADDRESS", "127.0.0.1");
        return settings;
    }

    /** Webhooks may go to this machine, where the README's receiver runs. */
    private Map<String, String> merchantFacing() {
        return Map.of(
                "LIGEIRO_PUBLIC_URL", options.publicUrl(),
                "LIGEIRO_WEBHOOK_ALLOWED_NETWORKS", given("LIGEIRO_WEBHOOK_ALLOWED_NETWORKS", LOOPBACK),
                "LIGEIRO_WEBHOOK_SECRET_KEYS", given("LIGEIRO_WEBHOOK_SECRET_KEYS", secrets.webhookSecretKeys()));
    }

    /** Each has a log file of bounded size. Warnings also go to standard output, whose end the launcher shows when a start fails. */
    private Map<String, String> logging(String name) {
        return Map.of(
                "LOGGING_FILE_NAME", logs.resolve(name + ".log").toString(),
                "LOGGING_LOGBACK_ROLLINGPOLICY_MAX_FILE_SIZE", "20MB",
                "LOGGING_LOGBACK_ROLLINGPOLICY_TOTAL_SIZE_CAP", "100MB",
                "LOGGING_THRESHOLD_CONSOLE", "WARN",
                "SPRING_MAIN_BANNER_MODE", "off");
    }

    /** The value in the launcher's environment, else {@code otherwise}. */
    private static String given(String name, String otherwise) {
        return System.getenv().getOrDefault(name, otherwise);
    }
}
