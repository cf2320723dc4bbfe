package dev.ligeiro.desk.webhook;

import dev.ligeiro.message.EventType;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.webhook.DisabledReason;
import dev.ligeiro.webhook.Lane;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An endpoint and how it has answered lately.
 *
 * @param url scheme, host and port: a path or a query may have a secret
 * @param failingSince the first failure since the last success
 * @param breaker {@code open} while no attempt is made, until {@code breakerOpenUntil}
 */
public record EndpointJson(
        UUID id,
        Mode mode,
        String url,
        List<String> events,
        String status,
        @Nullable DisabledReason disabledReason,
        @Nullable Instant disabledSince,
        @Nullable Instant failingSince,
        int failures,
        String breaker,
        @Nullable Instant breakerOpenUntil,
        @Nullable Instant nextAttemptAt,
        Instant createdAt) {

    /** @param lane null for an endpoint without failures and outstanding deliveries */
    static EndpointJson of(WebhookEndpoint endpoint, @Nullable Lane lane, Instant now) {
        Lane.Health health = lane == null ? Lane.Health.GOOD : lane.health();
        boolean isOpen = health.openUntil() != null && health.openUntil().isAfter(now);
        boolean isEnabled = endpoint.status().isEnabled();
        return new EndpointJson(
                endpoint.id(),
                endpoint.tenant().mode(),
                place(endpoint.url()),
                endpoint.events().keySet().stream()
                        .map(EventType::code)
                        .sorted()
                        .toList(),
                isEnabled ? "enabled" : "disabled",
                endpoint.status().reason(),
                isEnabled ? null : endpoint.status().since(),
                health.failingSince(),
                health.failures(),
                isOpen ? "open" : "closed",
                isOpen ? health.openUntil() : null,
                lane == null ? null : lane.dueAt(),
                endpoint.createdAt());
    }

    private static String place(String url) {
        URI uri = URI.create(url);
        String path = uri.getRawPath();
        boolean isAll = (path == null || path.isEmpty() || path.equals("/")) && uri.getRawQuery() == null;
        return uri.getScheme() + "://" + uri.getRawAuthority() + (isAll ? "/" : "/…");
    }

    /** The word for how it is: {@code disabled}, {@code paused}, {@code failing} or {@code enabled}. */
    public String state() {
        return status.equals("disabled")
                ? status
                : breaker.equals("open") ? "paused" : failingSince == null ? status : "failing";
    }

    /** {@code good}, {@code wait} or {@code bad}: how a page shows the state. An endpoint that fails is never good. */
    public String tone() {
        return state().equals("enabled") ? "good" : state().equals("failing") ? "wait" : "bad";
    }
}
