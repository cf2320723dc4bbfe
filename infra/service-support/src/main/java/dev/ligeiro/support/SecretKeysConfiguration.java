package dev.ligeiro.support;

import dev.ligeiro.webhook.SecretKeys;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The keys of {@code ligeiro.webhook.secret-keys}. Without them the service does not start. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(SecretKeysProperties.class)
public class SecretKeysConfiguration {

    @Bean
    SecretKeys secretKeys(SecretKeysProperties properties) {
        try {
            return SecretKeys.parse(properties.secretKeys());
        } catch (IllegalArgumentException invalid) {
            throw new InvalidSecretKeysException(invalid);
        }
    }
}
