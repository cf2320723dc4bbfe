package dev.ligeiro.dispatcher.attempt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.dispatcher.http.WebhookProperties;
import dev.ligeiro.testing.settings.Settings;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoundPropertiesTest {

    private static final String PREFIX = "ligeiro.webhook.round.";

    @Test
    void theDefaultsAreThoseOfTheDocumentedFile() {
        RoundProperties defaults = new RoundProperties(Duration.ofMillis(250), Duration.ofSeconds(60));
        assertThat(Settings.defaults(RoundProperties.class)).isEqualTo(defaults);
        assertThat(Settings.ofYaml(RoundProperties.class)).isEqualTo(defaults);
    }

    @Test
    void everyKeyIsRead() {
        assertThat(Settings.of(RoundProperties.class, PREFIX + "window=1s", PREFIX + "lease=2m"))
                .isEqualTo(new RoundProperties(Duration.ofSeconds(1), Duration.ofMinutes(2)));
    }

    @ParameterizedTest
    @CsvSource({"window=0s, window", "window=-1ms, window", "lease=0s, lease", "lease=31m, lease"})
    void aValueOutOfBoundsIsRefusedByItsName(String setting, String field) {
        assertThat(Settings.refusal(RoundProperties.class, PREFIX + setting))
                .contains("'ligeiro.webhook.round' on field '" + field + "'");
    }

    /** Otherwise a second process could claim a delivery whose attempt is still running. */
    @Test
    void aLeaseOutlastsAnAttemptTwice() {
        WebhookProperties webhook = Settings.defaults(WebhookProperties.class);
        RoundProperties tooShort = new RoundProperties(Duration.ofMillis(250), Duration.ofSeconds(30));
        assertThatThrownBy(() -> AttemptRound.requireOutlasting(tooShort, webhook))
                .hasMessageStartingWith("ligeiro.webhook.round.lease: PT30S (expected: at least");
    }
}
