package dev.ligeiro.gateway.webhook;

import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What an operator may set about webhook endpoints.
 *
 * @param allowedNetworks CIDRs of inside networks that webhooks may go to, plain http included; the dispatcher has the same
 *     setting and enforces it
 */
@ConfigurationProperties("ligeiro.webhook")
record WebhookProperties(@DefaultValue List<String> allowedNetworks) {}
