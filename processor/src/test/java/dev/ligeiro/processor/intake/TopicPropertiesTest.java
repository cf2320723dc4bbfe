package dev.ligeiro.processor.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.testing.settings.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.BindException;

class TopicPropertiesTest {

    private static final String PREFIX = "ligeiro.kafka.";

    private static final TopicProperties DEFAULTS = new TopicProperties(24, (short) 1);

    @Test
    void defaults() {
        assertThat(Settings.ofNothing(TopicProperties.class)).isEqualTo(DEFAULTS);
        assertThat(Settings.ofYaml(TopicProperties.class)).isEqualTo(DEFAULTS);
    }

    @Test
    void others() {
        assertThat(Settings.of(TopicProperties.class, PREFIX + "partitions=3", PREFIX + "replicas=2"))
                .isEqualTo(new TopicProperties(3, (short) 2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"partitions=0", "partitions=1001", "replicas=0", "replicas=11"})
    void outOfBounds(String setting) {
        assertThatThrownBy(() -> Settings.of(TopicProperties.class, PREFIX + setting))
                .isInstanceOf(BindException.class);
    }
}
