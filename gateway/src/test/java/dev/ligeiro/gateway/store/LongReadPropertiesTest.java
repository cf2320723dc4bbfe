package dev.ligeiro.gateway.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.testing.settings.Settings;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LongReadPropertiesTest {

    @Test
    void theFileHasTheDefaults() {
        assertThat(Settings.ofYaml(LongReadProperties.class))
                .isEqualTo(Settings.defaults(LongReadProperties.class))
                .isEqualTo(new LongReadProperties(8, 2, 16, 4, Duration.ofSeconds(2), 4, 3));
    }

    @Test
    void everySettingIsRead() {
        LongReadProperties set = Settings.of(
                LongReadProperties.class,
                "ligeiro.long-reads.lists-max=3",
                "ligeiro.long-reads.lists-per-tenant=1",
                "ligeiro.long-reads.pages-max=5",
                "ligeiro.long-reads.pages-per-tenant=2",
                "ligeiro.long-reads.wait-max=0s",
                "ligeiro.long-reads.queries-max=7",
                "ligeiro.long-reads.rest=0");

        assertThat(set).isEqualTo(new LongReadProperties(3, 1, 5, 2, Duration.ZERO, 7, 0));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ligeiro.long-reads.lists-max=0",
                "ligeiro.long-reads.lists-per-tenant=1001",
                "ligeiro.long-reads.pages-max=0",
                "ligeiro.long-reads.pages-per-tenant=0",
                "ligeiro.long-reads.wait-max=2001ms",
                "ligeiro.long-reads.queries-max=0",
                "ligeiro.long-reads.rest=11"
            })
    void aValueOutOfBoundsStopsTheStart(String setting) {
        assertThat(Settings.refusal(LongReadProperties.class, setting))
                .contains(setting.split("=", 2)[0] + ": ")
                .contains("(expected: ");
    }
}
