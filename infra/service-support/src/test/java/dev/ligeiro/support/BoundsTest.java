package dev.ligeiro.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.testing.settings.Settings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.validation.annotation.Validated;

class BoundsTest {

    @ConfigurationProperties("a-test")
    @Validated
    record Limits(
            @Bounds(key = "a-test.reads-max", min = "1", max = "1000") @Nullable Long readsMax,
            @Bounds(key = "a-test.wait-max", min = "100ms", max = "1h") @Nullable Duration waitMax) {}

    @Test
    void anUnsetValueIsValid() {
        assertThat(Settings.defaults(Limits.class)).isEqualTo(new Limits(null, null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"reads-max=1", "reads-max=1000", "wait-max=100ms", "wait-max=60m"})
    void theBoundsAreIncluded(String setting) {
        assertThat(Settings.of(Limits.class, "a-test." + setting)).isNotNull();
    }

    @ParameterizedTest
    @CsvSource({
        "reads-max=0,     'a-test.reads-max: 0 (expected: 1 to 1000)'",
        "reads-max=1001,  'a-test.reads-max: 1001 (expected: 1 to 1000)'",
        "wait-max=99ms,   'a-test.wait-max: PT0.099S (expected: 100ms to 1h)'",
        "wait-max=61m,    'a-test.wait-max: PT1H1M (expected: 100ms to 1h)'",
    })
    void aValueOutOfBoundsIsRefused(String setting, String message) {
        assertThat(Settings.refusal(Limits.class, "a-test." + setting)).contains(message);
    }
}
