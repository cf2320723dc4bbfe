package dev.ligeiro.processor.rail.bank;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.testing.settings.Settings;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import org.junit.jupiter.api.Test;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslStoreBundle;

class LiveRailsTest {

    private final DefaultSslBundleRegistry bundles = new DefaultSslBundleRegistry();

    @Test
    void anUnknownSslBundleIsNamedAtTheStart() {
        assertThatThrownBy(this::start)
                .hasMessage("ligeiro.rails.bank.ssl-bundle: tls (expected: the name of a bundle in spring.ssl.bundle)");
    }

    @Test
    void anSslBundleWithoutACertificateIsNamedAtTheStart() {
        bundles.registerBundle("tls", SslBundle.of(SslStoreBundle.NONE));

        assertThatThrownBy(this::start)
                .hasMessage("ligeiro.rails.bank.ssl-bundle: tls has no client certificate (expected: a key store)");
    }

    private void start() {
        LiveRailProperties properties = Settings.of(
                LiveRailProperties.class,
                "ligeiro.rails.bank.kind=efi",
                "ligeiro.rails.bank.base-url=https://bank.example",
                "ligeiro.rails.bank.token-url=https://bank.example/token",
                "ligeiro.rails.bank.client-id=client",
                "ligeiro.rails.bank.client-secret=secret",
                "ligeiro.rails.bank.ssl-bundle=tls",
                "ligeiro.rails.bank.receiver-key=key");
        new LiveRails(properties, bundles, new SimpleMeterRegistry(), Clock.systemUTC());
    }
}
