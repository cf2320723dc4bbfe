package dev.ligeiro.webhook;

import dev.ligeiro.message.EventType;
import dev.ligeiro.transaction.Tenant;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A URL of a merchant to which events are posted.
 *
 * @param id a UUIDv7
 * @param url an absolute http or https URL without user information
 * @param events what it is told of, never empty
 * @param secret the signing secret, {@code whsec_} and base64 (Standard Webhooks): never logged, shown once
 * @param enabled whether it is told anything
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

    /** Whether it is to be told of {@code type} now. */
    public boolean wants(EventType type) {
        return enabled && events.contains(type);
    }

    /** Without the secret, and without the URL, which may hold one too. */
    @Override
    public String toString() {
        return "WebhookEndpoint[id=" + id + ", tenant=" + tenant.key() + "]";
    }
}
