package dev.ligeiro.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.support.kafka.IntakeProperties;
import dev.ligeiro.support.mongo.MongoClientProperties;
import dev.ligeiro.testing.settings.Settings;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The values of {@code application.yml} for the settings that the services share. */
class SharedSettingsTest {

    @Test
    void intake() {
        assertThat(Settings.ofYaml(IntakeProperties.class))
                .isEqualTo(new IntakeProperties(Duration.ofMinutes(2), Duration.ofSeconds(10), Duration.ofSeconds(15)));
    }

    @Test
    void mongodb() {
        assertThat(Settings.ofYaml(MongoClientProperties.class))
                .isEqualTo(new MongoClientProperties(Duration.ofSeconds(5), Duration.ofSeconds(20)));
    }
}
