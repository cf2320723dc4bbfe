package dev.ligeiro.processor.intake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.testing.settings.Settings;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopicPropertiesTest {

    private static final String PREFIX = "ligeiro.kafka.";

    private static final TopicProperties DEFAULTS =
            new TopicProperties(24, (short) 1, Duration.ofDays(7), Duration.ofDays(30));

    @Test
    void defaults() {
        assertThat(Settings.defaults(TopicProperties.class)).isEqualTo(DEFAULTS);
        assertThat(Settings.ofYaml(TopicProperties.class)).isEqualTo(DEFAULTS);
    }

    @Test
    void others() {
        assertThat(Settings.of(
                        TopicProperties.class,
                        PREFIX + "partitions=3",
                        PREFIX + "replicas=2",
                        PREFIX + "retention=1h",
                        PREFIX + "dead-letter-retention=365d"))
                .isEqualTo(new TopicProperties(3, (short) 2, Duration.ofHours(1), Duration.ofDays(365)));
    }

    @ParameterizedTest
    @CsvSource({
        "partitions=0, partitions",
        "partitions=1001, partitions",
        "replicas=0, replicas",
        "replicas=11, replicas",
        "retention=59m, retention",
        "dead-letter-retention=59m, deadLetterRetention"
    })
    void aValueOutOfBoundsIsRefusedByItsName(String setting, String field) {
        assertThat(Settings.refusal(TopicProperties.class, PREFIX + setting))
                .contains("'ligeiro.kafka' on field '" + field + "'");
    }
}
