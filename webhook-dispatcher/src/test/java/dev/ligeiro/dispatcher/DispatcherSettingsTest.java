package dev.ligeiro.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.dispatcher.attempt.RetrySchedule;
import dev.ligeiro.dispatcher.attempt.ViewProperties;
import dev.ligeiro.dispatcher.http.WebhookProperties;
import dev.ligeiro.dispatcher.lane.LaneProperties;
import dev.ligeiro.support.kafka.IntakeProperties;
import dev.ligeiro.support.mongo.MongoClientConfiguration.MongoClientProperties;
import dev.ligeiro.testing.settings.Settings;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The defaults and the bounds of all settings. A refusal names the field, so it shows too that the key is read. */
class DispatcherSettingsTest {

    private static final String NETWORKS = "ligeiro.webhook.allowed-networks";

    static Stream<Class<?>> records() {
        return Stream.of(LaneProperties.class, RetrySchedule.class, WebhookProperties.class, ViewProperties.class);
    }

    @ParameterizedTest
    @MethodSource("records")
    void theDefaultsAreThoseOfTheDocumentedFile(Class<?> record) {
        assertThat((Object) Settings.ofYaml(record)).isEqualTo(Settings.defaults(record));
    }

    @Test
    void theFileHasTheUsualValuesOfTheSettingsThatTheServicesShare() {
        assertThat(Settings.ofYaml(IntakeProperties.class))
                .isEqualTo(new IntakeProperties(Duration.ofMinutes(2), Duration.ofSeconds(10), Duration.ofSeconds(15)));
        assertThat(Settings.ofYaml(MongoClientProperties.class))
                .isEqualTo(new MongoClientProperties(Duration.ofSeconds(5), Duration.ofSeconds(20)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "webhook.connect-timeout=0s             | on field 'connectTimeout'",
                "webhook.total-timeout=-1s              | on field 'totalTimeout'",
                "webhook.in-flight-max=0                | on field 'inFlightMax'",
                "webhook.in-flight-per-endpoint-max=0   | on field 'inFlightPerEndpointMax'",
                "webhook.in-flight-per-tenant-max=0     | on field 'inFlightPerTenantMax'",
                "webhook.in-flight-per-tenant-max=513   | in-flight-per-endpoint-max must be at most in-flight-per-tenant-max, and that",
                "webhook.in-flight-per-endpoint-max=129 | in-flight-per-endpoint-max must be at most in-flight-per-tenant-max, and that",
                "webhook.batch-window=0s                | on field 'batchWindow'",
                "webhook.lease=31m                      | on field 'lease'",
                "webhook.lease=30s                      | lease must be at least twice the sum of total-timeout and batch-window",
                "webhook.retry.delays=                  | on field 'delays'",
                "webhook.retry.delays=0s,-1s            | on field 'delays[1]",
                "webhook.retry.delays=5s,5m             | ligeiro.webhook.retry.delays must begin with 0s",
                "webhook.lane.poll-interval=0s          | on field 'pollInterval'",
                "webhook.lane.claimed-max=0             | on field 'claimedMax'",
                "webhook.lane.failures-max=0            | on field 'failuresMax'",
                "webhook.lane.open-min=0s               | on field 'openMin'",
                "webhook.lane.open-max=0s               | on field 'openMax'",
                "webhook.lane.slow-for=0s               | on field 'slowFor'",
                "webhook.lane.disable-after=0s          | on field 'disableAfter'",
                "webhook.lane.sweep-interval=0s         | on field 'sweepInterval'",
                "public-url=https://pix.example.com/    | on field 'publicUrl'",
                "public-url=pix.example.com             | on field 'publicUrl'",
                "public-url=ftp://pix.example.com       | on field 'publicUrl'",
                "time-zone=Nowhere                      | ligeiro.time-zone"
            })
    void aValueOutOfBoundsIsRefusedByItsName(String setting, String message) {
        assertThat(Settings.refusal(record(setting), "ligeiro." + setting)).contains(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "webhook.connect-timeout=1ms",
                "webhook.total-timeout=1ms",
                "webhook.in-flight-per-tenant-max=96",
                "webhook.in-flight-per-endpoint-max=1",
                "webhook.lease=30500ms",
                "webhook.lease=30m",
                "webhook.retry.delays=0s",
                "webhook.lane.claimed-max=1",
                "webhook.lane.sweep-interval=1ms",
                "public-url=https://pix.example.com"
            })
    void theBoundsThemselvesAreAccepted(String setting) {
        assertThat((Object) Settings.of(record(setting), "ligeiro." + setting)).isNotNull();
    }

    @ParameterizedTest
    @MethodSource("dev.ligeiro.fixture.NetworkSettings#refused")
    void anyOtherNetworkStopsTheStart(String entry) {
        assertThatThrownBy(() -> Settings.of(WebhookProperties.class, NETWORKS + "=" + entry))
                .hasRootCauseInstanceOf(IllegalArgumentException.class)
                .rootCause()
                .hasMessageStartingWith(NETWORKS + ": " + entry + " (expected: ");
    }

    private static Class<?> record(String setting) {
        if (setting.startsWith("webhook.lane.")) {
            return LaneProperties.class;
        }
        if (setting.startsWith("webhook.retry.")) {
            return RetrySchedule.class;
        }
        return setting.startsWith("webhook.") ? WebhookProperties.class : ViewProperties.class;
    }
}
