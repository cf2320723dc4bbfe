package dev.ligeiro.support;

import dev.ligeiro.bundle.SigningKeys;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The keys of {@code ligeiro.bundle.signing-keys}, which sign defence bundles. Without any, the service starts and makes no bundles; a
 * malformed one stops the start, and the operator reads what to set. No message contains a part of a key.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(BundleKeysConfiguration.BundleProperties.class)
public class BundleKeysConfiguration {

    private static final String ACTION =
            "Set LIGEIRO_BUNDLE_SIGNING_KEYS to the output of openssl genpkey -algorithm ed25519, the same value for the"
                    + " gateway and the desk, or to nothing: then no bundles are made.";

    /** @param signingKeys each a PKCS#8 private key in PEM; the first one signs */
    @ConfigurationProperties("ligeiro.bundle")
    record BundleProperties(@DefaultValue List<String> signingKeys) {

        @Override
        public String toString() {
            return "BundleProperties[" + signingKeys.size() + " keys]";
        }
    }

    @Bean
    SigningKeys bundleSigningKeys(BundleProperties properties) {
        try {
            return SigningKeys.parse(properties.signingKeys());
        } catch (IllegalArgumentException invalid) {
            throw new InvalidKeys(invalid, ACTION);
        }
    }
}
