package dev.ligeiro.support;

import dev.ligeiro.webhook.SecretKeys;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The keys of {@code ligeiro.webhook.secret-keys}, which encrypt webhook secrets. Without valid keys the service does not start, and the
 * operator reads what to set. No message contains a part of a key.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(SecretKeysConfiguration.SecretKeysProperties.class)
public class SecretKeysConfiguration {

    private static final String ACTION =
            "Set LIGEIRO_WEBHOOK_SECRET_KEYS to k1:$(openssl rand -base64 32), the same value for the"
                    + " gateway and the webhook-dispatcher, and keep it: without it stored webhook secrets cannot be read.";

    /**
     * Its keys are parsed later, because Spring Boot's message for a value that cannot be bound contains the value.
     *
     * @param secretKeys each {@code <id>:<base64 of 32 bytes>}; the first one encrypts
     */
    @ConfigurationProperties("ligeiro.webhook")
    record SecretKeysProperties(@DefaultValue List<String> secretKeys) {

        @Override
        public String toString() {
            return "SecretKeysProperties[" + secretKeys.size() + " keys]";
        }
    }

    @Bean
    SecretKeys secretKeys(SecretKeysProperties properties) {
        try {
            return SecretKeys.parse(properties.secretKeys());
        } catch (IllegalArgumentException invalid) {
            throw new InvalidKeys(invalid, ACTION);
        }
    }
}
