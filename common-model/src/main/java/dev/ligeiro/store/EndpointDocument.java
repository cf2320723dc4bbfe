package dev.ligeiro.store;

import static dev.ligeiro.store.EndpointFields.*;

import dev.ligeiro.message.EventType;
import dev.ligeiro.transaction.Codes;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.DisabledReason;
import dev.ligeiro.webhook.EncryptedText;
import dev.ligeiro.webhook.EndpointSecret;
import dev.ligeiro.webhook.EndpointStatus;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * Converts a webhook endpoint to its MongoDB document and back. The gateway writes it, gateway and webhook-dispatcher read it.
 * UUIDs have the standard representation (binary subtype 4).
 */
public final class EndpointDocument {

    private EndpointDocument() {}

    /** The whole document of an endpoint with a URL, except for the slot. */
    public static Document of(WebhookEndpoint endpoint) {
        Document document = common(endpoint);
        document.putAll(changeable(endpoint));
        return document;
    }

    /** The whole document of a feed. */
    public static Document ofFeed(WebhookEndpoint feed) {
        return common(feed).append(KIND, PULL).append(SLOT, FEED_SLOT);
    }

    private static Document common(WebhookEndpoint endpoint) {
        return new Document(ID, endpoint.id())
                .append(TENANT, endpoint.tenant().key())
                .append(CREATED_AT, Date.from(endpoint.createdAt()))
                .append(VERSION, endpoint.version());
    }

    /** The fields that a change may set. */
    public static Document changeable(WebhookEndpoint endpoint) {
        List<String> events = endpoint.events().keySet().stream()
                .map(EventType::code)
                .sorted()
                .toList();
        List<Document> added = endpoint.events().entrySet().stream()
                .filter(event -> !event.getValue().equals(endpoint.createdAt()))
                .map(event -> new Document(NAME, event.getKey().code()).append(SINCE, Date.from(event.getValue())))
                .toList();
        List<Document> headers = endpoint.headers().entrySet().stream()
                .map(header -> new Document(NAME, header.getKey())
                        .append(VALUE, header.getValue().stored()))
                .toList();
        DisabledReason reason = endpoint.status().reason();
        return new Document(URL, endpoint.url())
                .append(EVENTS, events)
                .append(ADDED_EVENTS, added)
                .append(
                        SECRETS,
                        endpoint.secrets().stream()
                                .map(EndpointDocument::secret)
                                .toList())
                .append(HEADERS, headers)
                .append(DESCRIPTION, endpoint.description())
                .append(ENABLED, endpoint.status().isEnabled())
                .append(DISABLED_REASON, reason == null ? null : reason.code())
                .append(STATUS_SINCE, Date.from(endpoint.status().since()));
    }

    private static Document secret(EndpointSecret secret) {
        Document document = new Document(VALUE, secret.secret().stored());
        return secret.validUntil() == null ? document : document.append(VALID_UNTIL, Date.from(secret.validUntil()));
    }

    /** @throws RuntimeException if a field is missing or of another type, or the URL is empty */
    public static WebhookEndpoint read(Document document) {
        if (PULL.equals(document.getString(KIND))) {
            return WebhookEndpoint.feed(
                    document.get(ID, UUID.class),
                    new Tenant(document.getLong(TENANT)),
                    document.getDate(CREATED_AT).toInstant());
        }
        return new WebhookEndpoint(
                document.get(ID, UUID.class),
                new Tenant(document.getLong(TENANT)),
                url(document),
                events(document),
                secrets(document),
                headers(document),
                document.getString(DESCRIPTION),
                status(document),
                document.getDate(CREATED_AT).toInstant(),
                document.getInteger(VERSION));
    }

    /** An endpoint without a URL would be taken for a feed. */
    private static String url(Document document) {
        String url = document.getString(URL);
        if (url == null || url.isEmpty()) {
            throw new IllegalArgumentException("url: none");
        }
        return url;
    }

    /** Ignores types that only a newer version knows. */
    private static Map<EventType, Instant> events(Document document) {
        Map<String, Instant> added = document.getList(ADDED_EVENTS, Document.class, List.of()).stream()
                .collect(Collectors.toMap(event -> event.getString(NAME), event -> event.getDate(SINCE)
                        .toInstant()));
        Instant createdAt = document.getDate(CREATED_AT).toInstant();
        return document.getList(EVENTS, String.class).stream()
                .map(code -> Codes.find(EventType.class, code))
                .flatMap(Optional::stream)
                .collect(Collectors.toMap(
                        Function.identity(), type -> added.getOrDefault(type.code(), createdAt), (one, same) -> one));
    }

    private static List<EndpointSecret> secrets(Document document) {
        return document.getList(SECRETS, Document.class).stream()
                .map(secret ->
                        new EndpointSecret(new EncryptedText(secret.getString(VALUE)), instant(secret, VALID_UNTIL)))
                .toList();
    }

    private static Map<String, EncryptedText> headers(Document document) {
        return document.getList(HEADERS, Document.class).stream()
                .collect(Collectors.toUnmodifiableMap(
                        header -> header.getString(NAME), header -> new EncryptedText(header.getString(VALUE))));
    }

    /** A reason that only a newer version knows is read as GONE. */
    private static EndpointStatus status(Document document) {
        Instant since = document.getDate(STATUS_SINCE).toInstant();
        return document.getBoolean(ENABLED)
                ? EndpointStatus.enabled(since)
                : EndpointStatus.disabled(
                        Codes.find(DisabledReason.class, document.getString(DISABLED_REASON))
                                .orElse(DisabledReason.GONE),
                        since);
    }

    private static @Nullable Instant instant(Document document, String field) {
        Date date = document.getDate(field);
        return date == null ? null : date.toInstant();
    }
}
