package dev.ligeiro.gateway.page.checkout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.testing.settings.Settings;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CheckoutPropertiesTest {

    private static final CheckoutProperties DEFAULTS = new CheckoutProperties(10_000, Duration.ofSeconds(1));

    @Test
    void defaults() {
        assertThat(Settings.defaults(CheckoutProperties.class)).isEqualTo(DEFAULTS);
        assertThat(Settings.ofYaml(CheckoutProperties.class)).isEqualTo(DEFAULTS);
    }

    @ParameterizedTest
    @CsvSource({
        "streams-max=0,       streamsMax=0",
        "streams-max=1000000, streamsMax=1000000",
        "look-every=100ms,    lookEvery=PT0.1S",
        "look-every=1m,       lookEvery=PT1M"
    })
    void everythingCanBeSetAndTheBoundsAreIncluded(String setting, String bound) {
        assertThat(Settings.of(CheckoutProperties.class, "ligeiro.checkout." + setting)
                        .toString())
                .contains(bound);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "streams-max=-1      | ligeiro.checkout.streams-max: -1 (expected: 0 to 1000000)",
                "streams-max=1000001 | ligeiro.checkout.streams-max: 1000001 (expected: 0 to 1000000)",
                "look-every=99ms     | ligeiro.checkout.look-every: PT0.099S (expected: 100ms to 1m)",
                "look-every=61s      | ligeiro.checkout.look-every: PT1M1S (expected: 100ms to 1m)"
            })
    void aValueOutOfBoundsIsRefusedByKeyAndValue(String setting, String message) {
        assertThat(Settings.refusal(CheckoutProperties.class, "ligeiro.checkout." + setting))
                .contains(message);
    }

    @ParameterizedTest
    @CsvSource({"10000, 160000000, 1666", "10000, 960000000, 10000", "2000, 8000000000, 2000", "0, 160000000, 0"})
    void thePagesTakeAtMostAPartOfTheHeap(int streamsMax, long heapBytes, int places) {
        assertThat(new CheckoutProperties(streamsMax, Duration.ofSeconds(1)).places(heapBytes))
                .isEqualTo(places);
    }
}
