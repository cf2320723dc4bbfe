package dev.ligeiro.support;

import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The keys that encrypt webhook secrets. They are parsed later, because Spring Boot's message for a value that cannot be bound contains
 * the value.
 *
 * @param secretKeys each {@code <id>:<base64 of 32 bytes>}; the first one encrypts
 */
@ConfigurationProperties("ligeiro.webhook")
record SecretKeysProperties(@DefaultValue List<String> secretKeys) {

    /** Hides the keys. */
    @Override
    public String toString() {
        return "SecretKeysProperties[" + secretKeys.size() + " keys]";
    }
}
