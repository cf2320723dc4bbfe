package dev.ligeiro.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.support.kafka.IntakeProperties;
import dev.ligeiro.support.mongo.MongoClientProperties;
import dev.ligeiro.testing.settings.Settings;
import java.time.Duration;
import java.util.List;
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
}
