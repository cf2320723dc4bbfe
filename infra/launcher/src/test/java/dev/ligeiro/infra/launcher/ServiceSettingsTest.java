package dev.ligeiro.infra.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ServiceSettingsTest {

    private static final int CORES = Runtime.getRuntime().availableProcessors();
    private static final Brokers BROKERS = new Brokers(List.of(), "mongodb://m/ligeiro", "k:9192", null);

    /** The end-to-end tests see that each service has what it needs. */
    @Test
    void theProcessorGetsNoSecret() {
        assertThat(settings().of(ServiceKind.PROCESSOR, "processor-1", 8082))
                .containsEntry("SERVER_ADDRESS", "127.0.0.1")
                .doesNotContainKeys(
                        "LIGEIRO_ADMIN_TOKEN", "LIGEIRO_WEBHOOK_SECRET_KEYS", "LIGEIRO_BUNDLE_SIGNING_KEYS");
    }

    /** They listen to this machine only, and the merchants' console has no setting of the operators' port. */
    @Test
    void theDeskGetsThePortsOfItsOwn() {
        assertThat(settings("--desk-port", "9000", "--bank").of(ServiceKind.DESK, "desk-1", 9000))
                .containsEntry("SERVER_ADDRESS", "127.0.0.1")
                .containsEntry("SERVER_PORT", "9000")
                .containsEntry("LIGEIRO_CONSOLE_PORT", "9001")
                .containsEntry("LIGEIRO_GATEWAY_URL", "http://localhost:8080")
                .containsEntry("LIGEIRO_RAILS_ROUTES_0_RAIL", "bank")
                .containsEntry("LIGEIRO_ADMIN_TOKEN", "token")
                .containsEntry("LIGEIRO_BUNDLE_SIGNING_KEYS", "signing")
                .doesNotContainKey("MANAGEMENT_SERVER_PORT");
    }

    @Test
    void severalGatewaysShareThePort() {
        Map<String, String> second = settings("--gateway", "2").of(ServiceKind.GATEWAY, "gateway-2", 8084);
        assertThat(second)
                .containsEntry("SERVER_PORT", "8080")
                .containsEntry("MANAGEMENT_SERVER_PORT", "8084")
                .containsEntry("LIGEIRO_HTTP_REUSE_PORT", "true")
                .containsEntry("LIGEIRO_BUNDLE_SIGNING_KEYS", "signing")
                .containsEntry("LIGEIRO_HTTP_DRAIN_TIME", "2s")
                .containsEntry("LIGEIRO_LONG_READS_QUERIES_MAX", Integer.toString(Math.max(1, CORES / 4)));
    }

    @Test
    void everyConsumerGetsAPartitionAndEveryBrokerEveryRecord() {
        assertThat(settings("--processor", "3", "--webhook-dispatcher", "5", "--kafka-brokers", "3")
                        .of(ServiceKind.PROCESSOR, "processor-1", 8082))
                .containsEntry("LIGEIRO_KAFKA_PARTITIONS", "5")
                .containsEntry("LIGEIRO_KAFKA_REPLICAS", "3");
    }

    @Test
    void theLaunchersEnvironmentSetsThePartitionsOfTheTopics() {
        Options options = OptionsTest.parse("--processor", "3");
        assertThat(ServiceSettings.kafkaPartitions(options, Map.of())).isEqualTo(3);
        assertThat(ServiceSettings.kafkaPartitions(options, Map.of("LIGEIRO_KAFKA_PARTITIONS", "12")))
                .isEqualTo(12);
        for (String wrong : List.of("", "0", "-1", "many")) {
            assertThatThrownBy(
                            () -> ServiceSettings.kafkaPartitions(options, Map.of("LIGEIRO_KAFKA_PARTITIONS", wrong)))
                    .isInstanceOf(CannotStartException.class)
                    .hasMessage("LIGEIRO_KAFKA_PARTITIONS: %s (expected: 1 to 99999)", wrong);
        }
    }

    @Test
    void processorsShareTheBankAndTheFirstOneGetsItsNotices() {
        ServiceSettings settings = settings("--bank", "--processor", "2");
        assertThat(settings.ofProcessor("processor-2", 8085, 8086))
                .containsEntry("LIGEIRO_RAILS_BANK_BASE_URL", "https://localhost:8443")
                .containsEntry("LIGEIRO_RAILS_BANK_CALLS_AT_ONCE", "10")
                .containsEntry("LIGEIRO_RAILS_BANK_NOTICE_URL", "https://localhost:8084/bank")
                .containsEntry("LIGEIRO_RAILS_BANK_NOTICE_SENDERS", "CN=bank")
                .containsEntry("LIGEIRO_NOTICES_PORT", "8086")
                .containsEntry("SPRING_SSL_BUNDLE_PEM_BANK_KEYSTORE_CERTIFICATE", "file:///home/bank/ligeiro.pem");
        assertThat(settings.of(ServiceKind.GATEWAY, "gateway-1", 8081))
                .containsEntry("LIGEIRO_RAILS_ROUTES_0_RAIL", "bank")
                .doesNotContainKey("LIGEIRO_RAILS_BANK_CLIENT_SECRET");
    }

    @Test
    void withoutABankThereIsNoLiveMode() {
        for (ServiceKind kind : ServiceKind.values()) {
            assertThat(settings().of(kind, "one-1", 8081).keySet())
                    .noneMatch(name -> name.matches("LIGEIRO_(RAILS|NOTICES)_.*"));
        }
    }

    /** The gateway's sweeper asks Kafka how far this group is. */
    @Test
    void gatewayKnowsTheConsumerGroupOfTheProcessors() {
        assertThat(Yaml.settingsOf(ServiceKind.GATEWAY))
                .containsEntry(
                        "ligeiro.republish.consumer-group",
                        Yaml.settingsOf(ServiceKind.PROCESSOR).get("spring.kafka.consumer.group-id"));
    }

    /** They are in the environment that the service inherits. */
    @Test
    void settingsOfTheLaunchersEnvironmentAreNotReplaced() {
        Set<String> inherited = Set.of(
                "LIGEIRO_PUBLIC_URL",
                "LIGEIRO_ADMIN_TOKEN",
                "LIGEIRO_KAFKA_PARTITIONS",
                "LIGEIRO_WEBHOOK_SECRET_KEYS",
                "LOGGING_THRESHOLD_CONSOLE");
        for (ServiceKind kind : ServiceKind.values()) {
            assertThat(settings(inherited).of(kind, "one-1", 8081))
                    .doesNotContainKeys(inherited.toArray(String[]::new))
                    .containsKey("SPRING_MAIN_BANNER_MODE");
        }
    }

    /** Otherwise the launcher would wait for instances elsewhere, or two of them would share a port or a log file. */
    @Test
    void theLauncherOwnsPortsAddressesAndLogFiles() {
        Map<String, String> owned = Map.of(
                "SPRING_MONGODB_URI", "mongodb://m/ligeiro",
                "SPRING_KAFKA_BOOTSTRAP_SERVERS", "k:9192",
                "SERVER_PORT", "8080",
                "LIGEIRO_HTTP_REUSE_PORT", "false",
                "MANAGEMENT_SERVER_PORT", "8081",
                "MANAGEMENT_SERVER_ADDRESS", "127.0.0.1",
                "LOGGING_FILE_NAME", "/home/logs/gateway-1.log");
        assertThat(settings(owned.keySet()).of(ServiceKind.GATEWAY, "gateway-1", 8081))
                .containsAllEntriesOf(owned);
    }

    private static ServiceSettings settings(String... arguments) {
        return settings(Set.of(), arguments);
    }

    private static ServiceSettings settings(Set<String> inherited, String... arguments) {
        Options options = OptionsTest.parse(arguments);
        DemoBank bank = options.bank
                ? new DemoBank(Path.of("/home/bank"), Path.of("/home/logs/bank.out"), options.bankPort, "secret")
                : null;
        return new ServiceSettings(
                options, BROKERS, bank, Path.of("/home/logs"), "token", "k1:key", "signing", inherited);
    }
}
