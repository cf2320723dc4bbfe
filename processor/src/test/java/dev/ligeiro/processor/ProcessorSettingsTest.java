package dev.ligeiro.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.processor.rail.bank.BankProperties;
import dev.ligeiro.processor.rail.bank.LiveRailProperties;
import dev.ligeiro.support.kafka.IntakeProperties;
import dev.ligeiro.support.mongo.MongoClientConfiguration.MongoClientProperties;
import dev.ligeiro.testing.settings.Settings;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The defaults and the bounds of all settings. A refusal names the field, so it shows too that the key is read. */
class ProcessorSettingsTest {

    static List<Class<?>> records() {
        return Settings.records("dev.ligeiro.processor");
    }

    @ParameterizedTest
    @MethodSource("records")
    void theDefaultsAreThoseOfTheDocumentedFile(Class<?> record) {
        assertThat((Object) Settings.ofYaml(record)).isEqualTo(Settings.defaults(record));
    }

    @Test
    void theFileHasTheUsualValuesOfTheSettingsThatTheServicesShare() {
        assertThat(Settings.ofYaml(IntakeProperties.class))
                .isEqualTo(
                        new IntakeProperties(Duration.ofSeconds(30), Duration.ofSeconds(10), Duration.ofSeconds(15)));
        assertThat(Settings.ofYaml(MongoClientProperties.class))
                .isEqualTo(new MongoClientProperties(Duration.ofSeconds(5), Duration.ofSeconds(5)));
    }

    @ParameterizedTest
    @CsvSource({
        // setting, lowest, highest, just below, just above, the field that a refusal names
        "intake.leave-group-after,    1s,    60m,  999ms,  61m,   leaveGroupAfter",
        "due.every,                   100ms, 60s,  99ms,   61s,   every",
        "due.lease,                   5s,    300s, 4999ms, 301s,  lease",
        "due.ahead-max,               1,     100000, 0, 100001,   aheadMax",
        "due.stuck-after,             60s,   30d,  59s,    31d,   stuckAfter",
        "kafka.partitions,            1,     1000, 0,      1001,  partitions",
        "kafka.replicas,              1,     10,   0,      11,    replicas",
        "kafka.retention,             1h,    365d, 59m,    ,      retention",
        "kafka.dead-letter-retention, 1h,    365d, 59m,    ,      deadLetterRetention",
        "reconcile.hour-after,        1m,    24h,  59s,    25h,   hourAfter",
        "reconcile.day-after,         1m,    72h,  59s,    73h,   dayAfter",
        "simulator.submission-delay,  0s,    15s,  -1ms,   11m,   submissionDelay",
        "simulator.analysis,          0s,    60m,  -1ms,   61m,   analysis",
        "simulator.late-arrival,      1ms,   10m,  0s,     11m,   lateArrival",
        "simulator.inquire-after,     1ms,   10m,  0s,     11m,   inquireAfter",
        "simulator.call-timeout,      1ms,   10m,  0s,     11m,   callTimeout",
    })
    void theBoundsAreIncluded(
            String setting, String lowest, String highest, String below, @Nullable String above, String field) {
        String key = "ligeiro." + setting + "=";
        Class<?> record = Settings.recordOf(records(), key);

        assertThat((Object) Settings.of(record, key + lowest)).isNotEqualTo(Settings.of(record, key + highest));
        assertThat(Settings.refusal(record, key + below)).contains("on field '" + field + "'");
        if (above != null) {
            assertThat(Settings.refusal(record, key + above)).contains("on field '" + field + "'");
        }
    }

    @Test
    void aSubmissionIsDelayedByAtMostHalfOfTheLateArrivalSpan() {
        String delay = "ligeiro.simulator.submission-delay=16s";

        assertThat(Settings.refusal(Settings.recordOf(records(), delay), delay))
                .contains("ligeiro.simulator.submission-delay must be at most half of ligeiro.simulator.late-arrival");
    }

    @Test
    void aBanksCallEndsBeforeItsLateArrivalSpan() {
        assertThat(Settings.refusal(
                        LiveRailProperties.class,
                        "ligeiro.rails.bank.late-arrival=9s",
                        "ligeiro.rails.bank.call-timeout=10s"))
                .contains("late-arrival must be at least call-timeout");
    }

    @Test
    void anAccountNamesEachSettingThatIsMissing() {
        assertThat(Settings.refusal(LiveRailProperties.class, "ligeiro.rails.bank.callsAtOnce=0"))
                .contains(Stream.of(
                                "kind",
                                "baseUrl",
                                "tokenUrl",
                                "clientId",
                                "clientSecret",
                                "sslBundle",
                                "receiverKey",
                                "callsAtOnce")
                        .map(field -> "in object 'ligeiro.rails.bank' on field '" + field + "'")
                        .toList());
    }

    @Test
    void anAccountIsCalledWithTlsOnly() {
        assertThat(Settings.refusal(LiveRailProperties.class, account("bank", "base-url=http://bank.example")))
                .contains("base-url, token-url and notice-url must begin with https://");
    }

    @Test
    void theSimulatorIsNoAccount() {
        assertThat(Settings.refusal(LiveRailProperties.class, account("simulator")))
                .contains("is the name of a rail (expected: up to 20 lower-case letters");
    }

    /** An operator may give both services the same environment. */
    @Test
    void theGatewaysRoutesAreNoAccount() {
        assertThat(Settings.of(LiveRailProperties.class, "ligeiro.rails.routes[0].rail=bank")
                        .rails())
                .isEmpty();
    }

    @Test
    void anAccountHasTheDocumentedDefaultsAndHidesItsSecret() {
        BankProperties account = Objects.requireNonNull(
                Settings.of(LiveRailProperties.class, account("bank")).rails().get("bank"));

        assertThat(account)
                .isEqualTo(new BankProperties(
                        BankProperties.Kind.PIX,
                        URI.create("https://bank.example/api/v2"),
                        URI.create("https://bank.example/token"),
                        BankProperties.TokenRequest.BASIC,
                        "client",
                        "secret-7",
                        null,
                        "bank",
                        "key",
                        null,
                        Set.of(),
                        Map.of(),
                        Map.of(),
                        Duration.ofSeconds(3),
                        Duration.ofSeconds(10),
                        Duration.ofMinutes(2),
                        Duration.ofSeconds(5),
                        Duration.ofMinutes(5),
                        20,
                        1_000,
                        Set.of(),
                        false,
                        true,
                        Set.of()));
        assertThat(account.toString()).doesNotContain("secret-7").doesNotContain("client");
    }

    private static String[] account(String name, String... more) {
        Map<String, String> settings = new TreeMap<>(Map.of(
                "kind", "pix",
                "base-url", "https://bank.example/api/v2",
                "token-url", "https://bank.example/token",
                "client-id", "client",
                "client-secret", "secret-7",
                "ssl-bundle", "bank",
                "receiver-key", "key"));
        for (String setting : more) {
            settings.put(setting.split("=")[0], setting.split("=")[1]);
        }
        return settings.entrySet().stream()
                .map(setting -> "ligeiro.rails." + name + "." + setting.getKey() + "=" + setting.getValue())
                .toArray(String[]::new);
    }
}
