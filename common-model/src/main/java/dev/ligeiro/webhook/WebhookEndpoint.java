package dev.ligeiro.webhook;

import dev.ligeiro.message.EventType;
import dev.ligeiro.transaction.Tenant;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A merchant's URL to which webhooks are sent.
 *
 * @param id a UUIDv7
 * @param url an absolute http or https URL without user information
 * @param events the subscribed event types, never empty
 * @param secret the signing secret, {@code whsec_} and base64 (Standard Webhooks): never logged, shown once
 * @param enabled whether it receives webhooks
 */
public record WebhookEndpoint(
        UUID id,
        Tenant tenant,
        String url,
        Set<EventType> events,
        String secret,
        @Nullable String description,
        boolean enabled,
        Instant createdAt) {

    public WebhookEndpoint {
        events = Set.copyOf(events);
    }

    /** Whether it is enabled and subscribed to {@code type}. */
    public boolean receives(EventType type) {
        return enabled && events.contains(type);
    }

    /** Hides the secret, and the URL, which may contain one. */
    @Override
    public String toString() {
        return "WebhookEndpoint[id=" + id + ", tenant=" + tenant.key() + "]";
    }
}
