package dev.ligeiro.processor.due;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.testing.settings.Settings;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DuePropertiesTest {

    private static final String PREFIX = "ligeiro.due.";

    private static final DueProperties DEFAULTS =
            new DueProperties(Duration.ofSeconds(1), Duration.ofSeconds(15), 2_000, Duration.ofMinutes(10));

    @Test
    void defaults() {
        assertThat(Settings.defaults(DueProperties.class)).isEqualTo(DEFAULTS);
        assertThat(Settings.ofYaml(DueProperties.class)).isEqualTo(DEFAULTS);
    }

    @Test
    void others() {
        assertThat(Settings.of(
                        DueProperties.class,
                        PREFIX + "every=100ms",
                        PREFIX + "lease=5s",
                        PREFIX + "ahead-max=100000",
                        PREFIX + "stuck-after=30d"))
                .isEqualTo(
                        new DueProperties(Duration.ofMillis(100), Duration.ofSeconds(5), 100_000, Duration.ofDays(30)));
    }

    @ParameterizedTest
    @CsvSource({
        "every=99ms, every",
        "every=61s, every",
        "lease=4999ms, lease",
        "lease=301s, lease",
        "ahead-max=0, aheadMax",
        "ahead-max=100001, aheadMax",
        "stuck-after=59s, stuckAfter",
        "stuck-after=31d, stuckAfter"
    })
    void aValueOutOfBoundsIsRefusedByItsName(String setting, String field) {
        assertThat(Settings.refusal(DueProperties.class, PREFIX + setting))
                .contains("'ligeiro.due' on field '" + field + "'");
    }
}
