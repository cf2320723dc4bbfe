package dev.ligeiro.dispatcher.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.testing.settings.Settings;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BacklogPropertiesTest {

    private static final String KEY = "ligeiro.webhook.lane.sweep-interval";

    @Test
    void theDefaultsAreThoseOfTheDocumentedFile() {
        BacklogProperties defaults = new BacklogProperties(Duration.ofSeconds(15));
        assertThat(Settings.defaults(BacklogProperties.class)).isEqualTo(defaults);
        assertThat(Settings.ofYaml(BacklogProperties.class)).isEqualTo(defaults);
    }

    @Test
    void theKeyIsRead() {
        assertThat(Settings.of(BacklogProperties.class, KEY + "=10s"))
                .isEqualTo(new BacklogProperties(Duration.ofSeconds(10)));
    }

    @Test
    void anIntervalOfZeroIsRefused() {
        assertThat(Settings.refusal(BacklogProperties.class, KEY + "=0s"))
                .contains("'ligeiro.webhook.lane' on field 'sweepInterval'");
    }
}
