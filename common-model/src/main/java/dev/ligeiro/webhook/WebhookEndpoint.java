package dev.ligeiro.webhook;

import dev.ligeiro.message.EventType;
import dev.ligeiro.transaction.Clocks;
import dev.ligeiro.transaction.Tenant;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A merchant's URL to which webhooks are sent, or the merchant's feed.
 *
 * @param id a UUIDv7
 * @param url an absolute http or https URL without user information; empty for a feed
 * @param events the subscribed event types, never empty, each with the time of the subscription: earlier events do not go to the endpoint
 * @param secrets the current signing secret, then earlier ones; each valid one signs. A feed has none
 * @param headers the merchant's own headers by their names in lower case; the values may be credentials
 * @param version the number of changes; a change is written only if no other one came between
 */
public record WebhookEndpoint(
        UUID id,
        Tenant tenant,
        String url,
        Map<EventType, Instant> events,
        List<EndpointSecret> secrets,
        Map<String, EncryptedText> headers,
        @Nullable String description,
        EndpointStatus status,
        Instant createdAt,
        int version) {

    public WebhookEndpoint {
        events = Map.copyOf(events);
        secrets = List.copyOf(secrets);
        headers = Map.copyOf(headers);
    }

    /** The feed of a tenant. It gets every event, and is never disabled. */
    public static WebhookEndpoint feed(UUID id, Tenant tenant, Instant createdAt) {
        return new WebhookEndpoint(
                id,
                tenant,
                "",
                subscribed(Arrays.asList(EventType.values()), createdAt),
                List.of(),
                Map.of(),
                null,
                EndpointStatus.enabled(createdAt),
                createdAt,
                1);
    }

    public WebhookEndpoint with(EndpointStatus changed) {
        return new WebhookEndpoint(id, tenant, url, events, secrets, headers, description, changed, createdAt, version);
    }

    public WebhookEndpoint with(List<EndpointSecret> otherSecrets, Map<String, EncryptedText> otherHeaders) {
        return new WebhookEndpoint(
                id, tenant, url, events, otherSecrets, otherHeaders, description, status, createdAt, version);
    }

    public boolean isFeed() {
        return url.isEmpty();
    }

    /** Subscriptions to {@code types} that begin at {@code since}. */
    public static Map<EventType, Instant> subscribed(Collection<EventType> types, Instant since) {
        return types.stream().collect(Collectors.toMap(Function.identity(), type -> since));
    }

    /**
     * Whether an event of {@code eventAt} goes to it: the type was subscribed to by then. The time of a subscription is the gateway's, that
     * of an event mostly the processor's; so an event from up to 5 s before the subscription goes to it too. Disabled or not: the events of a
     * disabled endpoint are kept for its merchant.
     */
    public boolean wants(EventType type, Instant eventAt) {
        // a feed has the types that are newer than itself, too
        Instant since = isFeed() ? createdAt : events.get(type);
        return since != null && !eventAt.isBefore(since.minus(Clocks.APART_MAX));
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
