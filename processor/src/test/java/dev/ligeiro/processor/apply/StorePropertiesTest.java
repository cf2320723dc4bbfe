package dev.ligeiro.processor.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.testing.settings.Settings;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.BindException;

class StorePropertiesTest {

    private static final String PREFIX = "ligeiro.mongodb.";

    private static final StoreProperties DEFAULTS = new StoreProperties(Duration.ofSeconds(5), 1);

    @Test
    void defaults() {
        assertThat(Settings.ofNothing(StoreProperties.class)).isEqualTo(DEFAULTS);
        assertThat(Settings.ofYaml(StoreProperties.class)).isEqualTo(DEFAULTS);
    }

    @Test
    void others() {
        assertThat(Settings.of(StoreProperties.class, PREFIX + "timeout=100ms", PREFIX + "io-threads=16"))
                .isEqualTo(new StoreProperties(Duration.ofMillis(100), 16));
    }

    @ParameterizedTest
    @ValueSource(strings = {"timeout=99ms", "timeout=31s", "io-threads=0", "io-threads=17"})
    void outOfBounds(String setting) {
        assertThatThrownBy(() -> Settings.of(StoreProperties.class, PREFIX + setting))
                .isInstanceOf(BindException.class);
    }
}
