package dev.ligeiro.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.support.mongo.MongoClientProperties;
import dev.ligeiro.testing.settings.Settings;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The values of {@code application.yml} for the settings that the services share. */
class SharedSettingsTest {

    @Test
    void mongodb() {
        assertThat(Settings.ofYaml(MongoClientProperties.class))
                .isEqualTo(new MongoClientProperties(Duration.ofSeconds(2), Duration.ofMillis(2_500)));
    }
}
