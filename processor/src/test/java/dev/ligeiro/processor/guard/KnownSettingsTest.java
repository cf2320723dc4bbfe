package dev.ligeiro.processor.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KnownSettingsTest {

    /** The gateway answers a change of a guard 4 s after it is stored: then no processor may decide by the settings before. */
    @ParameterizedTest
    @CsvSource({"0, false", "3000, false", "4001, true"})
    void settingsDecideForFourSeconds(long ageMillis, boolean isOutdated) {
        long askedNanos = System.nanoTime() - Duration.ofMillis(ageMillis).toNanos();

        assertThat(new KnownSettings.Known(GuardSettings.NONE, askedNanos).isOutdated())
                .isEqualTo(isOutdated);
    }
}
