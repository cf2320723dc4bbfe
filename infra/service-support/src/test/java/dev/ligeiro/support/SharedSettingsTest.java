package dev.ligeiro.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.support.kafka.IntakeProperties;
import dev.ligeiro.support.mongo.MongoClientProperties;
import dev.ligeiro.testing.settings.Settings;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The defaults and the bounds of the settings that the services share. */
class SharedSettingsTest {

    @Test
    void defaults() {
        assertThat(Settings.defaults(IntakeProperties.class))
                .isEqualTo(
                        new IntakeProperties(Duration.ofSeconds(30), Duration.ofSeconds(10), Duration.ofSeconds(15)));
        assertThat(Settings.defaults(MongoClientProperties.class))
                .isEqualTo(new MongoClientProperties(Duration.ofSeconds(5), Duration.ofSeconds(5)));
    }

    @ParameterizedTest
    @CsvSource({
        // setting, lowest, highest, just below, just above, the field that a refusal names
        "intake.batch-timeout,      1s,    240s, 999ms, 241s, batchTimeout",
        "intake.retry-delay-max,    100ms, 60s,  99ms,  61s,  retryDelayMax",
        "intake.heartbeat-age-max,  1s,    300s, 999ms, 301s, heartbeatAgeMax",
        "mongodb.connect-timeout,   100ms, 30s,  99ms,  31s,  connectTimeout",
        "mongodb.operation-timeout, 100ms, 60s,  99ms,  61s,  operationTimeout",
    })
    void theBoundsAreIncluded(String setting, String lowest, String highest, String below, String above, String field) {
        String key = "ligeiro." + setting + "=";
        Class<?> record = setting.startsWith("intake.") ? IntakeProperties.class : MongoClientProperties.class;

        assertThat((Object) Settings.of(record, key + lowest)).isNotEqualTo(Settings.of(record, key + highest));
        assertThat(Settings.refusal(record, key + below)).contains("on field '" + field + "'");
        assertThat(Settings.refusal(record, key + above)).contains("on field '" + field + "'");
    }
}
