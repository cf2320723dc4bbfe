package dev.ligeiro.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.bundle.SigningKeys;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.support.SpringFactoriesLoader;

class BundleKeysConfigurationTest {

    private static final String KEY = "MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g";
    private static final String IN_PEM =
            """
            -----BEGIN PRIVATE KEY-----
            MC4CAQAwBQYDK2VwBCIEIEzNCJso/5banbbDRuwRTg9bijGfNaumJNqM9u1PuKb7
            -----END PRIVATE KEY-----
            """;

    private final ApplicationContextRunner runner =
            new ApplicationContextRunner().withUserConfiguration(BundleKeysConfiguration.class);

    @Test
    void severalKeysAreSeparatedByCommasWithTheirLineBreaks() {
        runner.withPropertyValues("ligeiro.bundle.signing-keys=" + IN_PEM + "," + KEY)
                .run(context -> assertThat(
                                new String(context.getBean(SigningKeys.class).publicKeys()).split("\"kid\""))
                        .hasSize(3));
    }

    @Test
    void withoutAKeyTheServiceStarts() {
        runner.run(context ->
                assertThat(context.getBean(SigningKeys.class).isEmpty()).isTrue());
    }

    @Test
    void aWrongKeyStopsTheStartWithAnInstruction() {
        runner.withPropertyValues("ligeiro.bundle.signing-keys=c2VjcmV0").run(context -> {
            FailureAnalysis analysis = analysis(Objects.requireNonNull(context.getStartupFailure()));

            assertThat(analysis.getDescription())
                    .startsWith("ligeiro.bundle.signing-keys: entry 1 is malformed")
                    .doesNotContain("c2VjcmV0");
            assertThat(analysis.getAction())
                    .contains("LIGEIRO_BUNDLE_SIGNING_KEYS", "openssl genpkey -algorithm ed25519");
        });
    }

    @Test
    void theSettingsHideTheKeys() {
        assertThat(new BundleKeysConfiguration.BundleProperties(List.of(KEY))).hasToString("BundleProperties[1 keys]");
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
