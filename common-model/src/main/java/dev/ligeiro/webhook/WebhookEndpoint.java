package dev.ligeiro.webhook;

import dev.ligeiro.message.EventType;
import dev.ligeiro.transaction.Tenant;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A merchant's URL to which webhooks are sent, or the merchant's feed.
 *
 * @param id a UUIDv7
 * @param url an absolute http or https URL without user information; empty for a feed
 * @param events the subscribed event types, never empty
 * @param secrets the current signing secret, then earlier ones; each valid one signs. A feed has none
 * @param headers the merchant's own headers by their names in lower case; the values may be credentials
 * @param version the number of changes; a change is written only if no other one came between
 */
public record WebhookEndpoint(
        UUID id,
        Tenant tenant,
        String url,
        Set<EventType> events,
        List<EndpointSecret> secrets,
        Map<String, EncryptedText> headers,
        @Nullable String description,
        EndpointStatus status,
        Instant createdAt,
        int version) {

    public WebhookEndpoint {
        events = Set.copyOf(events);
        secrets = List.copyOf(secrets);
        headers = Map.copyOf(headers);
    }

    /** The feed of a tenant. It gets every event, and is never disabled. */
    public static WebhookEndpoint feed(UUID id, Tenant tenant, Instant createdAt) {
        return new WebhookEndpoint(
                id,
                tenant,
                "",
                EnumSet.allOf(EventType.class),
                List.of(),
                Map.of(),
                null,
                EndpointStatus.enabled(createdAt),
                createdAt,
                1);
    }

    public boolean isFeed() {
        return url.isEmpty();
    }

    /** Whether it is enabled and subscribed to {@code type}. */
    public boolean receives(EventType type) {
        return status.isEnabled() && events.contains(type);
    }

    /** The secrets that sign at {@code now}, the current one first. */
    public List<EncryptedText> secretsAt(Instant now) {
        return secrets.stream()
                .filter(secret -> secret.isValidAt(now))
                .map(EndpointSecret::secret)
                .toList();
    }

    /** Hides the secrets, and the URL, which may contain one. */
    @Override
    public String toString() {
        return "WebhookEndpoint[id=" + id + ", tenant=" + tenant.key() + "]";
    }
}
