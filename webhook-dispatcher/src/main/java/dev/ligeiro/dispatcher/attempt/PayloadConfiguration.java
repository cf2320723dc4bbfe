package dev.ligeiro.dispatcher.attempt;

import dev.ligeiro.view.WebhookPayload;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The payload with this service's settings. */
@Configuration(proxyBeanMethods = false)
class PayloadConfiguration {

    @Bean
    WebhookPayload webhookPayload(ViewProperties properties) {
        return properties.payload();
    }
}
