package dev.ligeiro.gateway.api.list.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.testing.settings.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExportPropertiesTest {

    @Test
    void theFileHasTheDefaults() {
        assertThat(Settings.ofYaml(ExportProperties.class))
                .isEqualTo(Settings.defaults(ExportProperties.class))
                .isEqualTo(new ExportProperties(16, 2));
    }

    @Test
    void everythingCanBeSet() {
        assertThat(Settings.of(ExportProperties.class, "ligeiro.exports.max=1000", "ligeiro.exports.per-tenant=1"))
                .isEqualTo(new ExportProperties(1_000, 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ligeiro.exports.max=0", "ligeiro.exports.per-tenant=1001"})
    void aValueOutOfBoundsStopsTheStart(String setting) {
        assertThat(Settings.refusal(ExportProperties.class, setting))
                .contains(setting.split("=", 2)[0] + ": ")
                .contains("(expected: ");
    }
}
