package dev.ligeiro.dispatcher.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.testing.settings.Settings;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ViewPropertiesTest {

    @Test
    void theDefaultsAreThoseOfTheDocumentedFile() {
        ViewProperties defaults = new ViewProperties("http://localhost:8080", ZoneId.of("America/Sao_Paulo"));
        assertThat(Settings.defaults(ViewProperties.class)).isEqualTo(defaults);
        assertThat(Settings.ofYaml(ViewProperties.class)).isEqualTo(defaults);
    }

    @Test
    void everyKeyIsRead() {
        assertThat(Settings.of(
                        ViewProperties.class, "ligeiro.public-url=https://pix.example.com", "ligeiro.time-zone=UTC"))
                .isEqualTo(new ViewProperties("https://pix.example.com", ZoneId.of("UTC")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://pix.example.com/",
                "https://pix.example.com/base",
                "pix.example.com",
                "ftp://pix.example.com",
                ""
            })
    void aPublicUrlThatLinksCannotStartWithIsRefused(String url) {
        assertThat(Settings.refusal(ViewProperties.class, "ligeiro.public-url=" + url))
                .contains("'ligeiro' on field 'publicUrl'");
    }
}
