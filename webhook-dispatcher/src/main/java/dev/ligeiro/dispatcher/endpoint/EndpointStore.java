package dev.ligeiro.dispatcher.endpoint;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.inc;
import static com.mongodb.client.model.Updates.set;

import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.EndpointDocument;
import dev.ligeiro.store.EndpointFields;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.DisabledReason;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Instant;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The webhook endpoints in MongoDB. They are read from the primary, once per batch, without a cache: an endpoint registered before a
 * transaction must receive its events, and a changed URL or secret must be used at once.
 */
@Component
public class EndpointStore {

    private static final Logger LOG = LoggerFactory.getLogger(EndpointStore.class);

    private final MongoCollection<Document> endpoints;

    EndpointStore(MongoDatabase database) {
        this.endpoints = database.getCollection(CollectionNames.ENDPOINTS);
    }

    /** The enabled endpoints of {@code tenants}: one query by the gateway's index on the tenant. */
    public Mono<Map<Tenant, List<WebhookEndpoint>>> enabled(Collection<Tenant> tenants) {
        List<Long> keys = tenants.stream().map(Tenant::key).toList();
        return find(and(in(EndpointFields.TENANT, keys), eq(EndpointFields.ENABLED, true)))
                .map(found -> found.stream().collect(Collectors.groupingBy(WebhookEndpoint::tenant)));
    }

    /** The enabled endpoints among {@code ids}: one query by {@code _id}. */
    public Mono<Map<UUID, WebhookEndpoint>> enabledById(Collection<UUID> ids) {
        return find(and(in(EndpointFields.ID, ids), eq(EndpointFields.ENABLED, true)))
                .map(found -> found.stream().collect(Collectors.toMap(WebhookEndpoint::id, endpoint -> endpoint)));
    }

    /** Disables {@code endpoint}, unless it is disabled already or its URL has changed since it was read. */
    public Mono<Void> disable(WebhookEndpoint endpoint, DisabledReason reason, Instant now) {
        Bson unchanged = and(
                eq(EndpointFields.ID, endpoint.id()),
                eq(EndpointFields.URL, endpoint.url()),
                eq(EndpointFields.ENABLED, true));
        Bson disabled = combine(
                set(EndpointFields.ENABLED, false),
                set(EndpointFields.DISABLED_REASON, reason.code()),
                set(EndpointFields.STATUS_SINCE, Date.from(now)),
                inc(EndpointFields.VERSION, 1));
        return Mono.from(endpoints.updateOne(unchanged, disabled)).then();
    }

    private Mono<List<WebhookEndpoint>> find(Bson filter) {
        return Flux.from(endpoints.find(filter)).mapNotNull(EndpointStore::read).collectList();
    }

    /** Skips a malformed endpoint, so that it does not stop the deliveries of the others. */
    private static @Nullable WebhookEndpoint read(Document document) {
        try {
            return EndpointDocument.read(document);
        } catch (RuntimeException unreadable) {
            LOG.atError()
                    .addKeyValue("event.action", "endpoint_unreadable")
                    .addKeyValue("endpoint_id", document.get(EndpointFields.ID))
                    .addKeyValue("cause", unreadable.getClass().getSimpleName())
                    .log("A stored endpoint cannot be read; it gets no webhooks");
            return null;
        }
    }
}
