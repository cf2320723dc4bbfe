package dev.ligeiro.store;

import static dev.ligeiro.store.EndpointFields.*;

import dev.ligeiro.message.EventType;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.util.Date;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.bson.Document;

/**
 * Converts a webhook endpoint to its MongoDB document and back. The gateway writes it, gateway and webhook-dispatcher read it.
 * UUIDs have the standard representation (binary subtype 4).
 */
public final class EndpointDocument {

    private EndpointDocument() {}

    public static Document of(WebhookEndpoint endpoint) {
        return new Document(ID, endpoint.id())
                .append(TENANT, endpoint.tenant().key())
                .append(URL, endpoint.url())
                .append(
                        EVENTS,
                        endpoint.events().stream().map(EventType::code).sorted().toList())
                .append(SECRET, endpoint.secret())
                .append(DESCRIPTION, endpoint.description())
                .append(ENABLED, endpoint.enabled())
                .append(CREATED_AT, Date.from(endpoint.createdAt()));
    }

    public static WebhookEndpoint read(Document document) {
        return new WebhookEndpoint(
                document.get(ID, UUID.class),
                new Tenant(document.getLong(TENANT)),
                document.getString(URL),
                eventTypes(document),
                document.getString(SECRET),
                document.getString(DESCRIPTION),
                document.getBoolean(ENABLED),
                document.getDate(CREATED_AT).toInstant());
    }

    /** Ignores types that only a newer version knows. */
    private static Set<EventType> eventTypes(Document document) {
        return document.getList(EVENTS, String.class).stream()
                .map(EventType::findByCode)
                .flatMap(Optional::stream)
                .collect(Collectors.toUnmodifiableSet());
    }
}
