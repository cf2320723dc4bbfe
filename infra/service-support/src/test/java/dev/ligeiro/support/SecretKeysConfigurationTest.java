package dev.ligeiro.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.webhook.SecretKeys;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.support.SpringFactoriesLoader;

class SecretKeysConfigurationTest {

    private static final String KEY = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

    private final ApplicationContextRunner runner =
            new ApplicationContextRunner().withUserConfiguration(SecretKeysConfiguration.class);

    @Test
    void severalKeysAreSeparatedByCommas() {
        runner.withPropertyValues("ligeiro.webhook.secret-keys=k2:" + KEY + ", k1:" + KEY)
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(SecretKeys.class));
    }

    @ParameterizedTest
    @CsvSource({
        "'', ligeiro.webhook.secret-keys: not set",
        "k1:c2VjcmV0, ligeiro.webhook.secret-keys: entry 1 is a key of 6 bytes",
        "c2VjcmV0, ligeiro.webhook.secret-keys: entry 1 is malformed"
    })
    void aMissingOrWrongKeyStopsTheStartWithAnInstruction(String setting, String message) {
        runner.withPropertyValues("ligeiro.webhook.secret-keys=" + setting).run(context -> {
            FailureAnalysis analysis = analysis(Objects.requireNonNull(context.getStartupFailure()));

            assertThat(analysis.getDescription()).startsWith(message).doesNotContain("c2VjcmV0");
            assertThat(analysis.getAction()).contains("LIGEIRO_WEBHOOK_SECRET_KEYS", "openssl rand -base64 32");
        });
    }

    @Test
    void theSettingsHideTheKeys() {
        assertThat(new SecretKeysConfiguration.SecretKeysProperties(List.of("k1:" + KEY)))
                .hasToString("SecretKeysProperties[1 keys]");
    }

    /** As Spring Boot finds the analyzer; analyzers that need a context are left out. */
    private static FailureAnalysis analysis(Throwable failure) {
        return SpringFactoriesLoader.forDefaultResourceLocation()
                .load(FailureAnalyzer.class, (type, name, unusable) -> {})
                .stream()
                .filter(InvalidKeys.Instruction.class::isInstance)
                .map(analyzer -> analyzer.analyze(failure))
                .findFirst()
                .orElseThrow();
    }
}
