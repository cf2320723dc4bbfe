package dev.ligeiro.dispatcher.attempt;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.inc;
import static com.mongodb.client.model.Updates.set;

import com.mongodb.client.model.Projections;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.dispatcher.DispatcherMemoryBudget;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.EndpointDocument;
import dev.ligeiro.store.EndpointFields;
import dev.ligeiro.store.LaneFields;
import dev.ligeiro.store.LaneUpdates;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.DisabledReason;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.bson.codecs.Codec;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The webhook endpoints in MongoDB. They are read from the primary, once per batch, without a cache: an endpoint registered before a
 * transaction must receive its events, and a changed URL or secret must be used at once. A lane's owner reads the endpoint with the due
 * deliveries, and its version at each due check.
 */
@Component
public class EndpointStore {

    private static final Logger LOG = LoggerFactory.getLogger(EndpointStore.class);

    private final MongoCollection<Document> endpoints;
    private final MongoCollection<Document> lanes;

    EndpointStore(MongoDatabase database) {
        this.endpoints = database.getCollection(CollectionNames.ENDPOINTS);
        this.lanes = database.getCollection(CollectionNames.LANES);
    }

    /**
     * Endpoints by tenant.
     *
     * @param unreadable the tenants with an endpoint that cannot be decoded: a newer version may have written it
     * @param bytes the size of all, as stored
     */
    public record Found(Map<Tenant, List<WebhookEndpoint>> readable, Set<Tenant> unreadable, long bytes) {

        public List<WebhookEndpoint> of(Tenant tenant) {
            return readable.getOrDefault(tenant, List.of());
        }
    }

    /** The endpoints of several tenants are too large to be read together. */
    public static final class TooLarge extends RuntimeException {

        private static final long serialVersionUID = 1L;

        public TooLarge(String message) {
            super(message);
        }
    }

    /**
     * The endpoints of {@code tenants}, disabled ones too: one query by the gateway's index on the tenant. If those of several tenants are
     * too large together, the error is {@link TooLarge}, and a smaller part of the batch is tried.
     */
    public Mono<Found> ofTenants(Collection<Tenant> tenants) {
        List<Long> keys = tenants.stream().map(Tenant::key).toList();
        Codec<Document> codec = endpoints.getCodecRegistry().get(Document.class);
        return Mono.defer(() -> {
            AtomicLong bytes = new AtomicLong();
            return Flux.from(endpoints
                            .withDocumentClass(RawBsonDocument.class)
                            .find(in(EndpointFields.TENANT, keys))
                            .batchSize(DispatcherMemoryBudget.ENDPOINTS_READ_MAX))
                    .doOnNext(document -> {
                        int size = document.getByteBuffer().remaining();
                        requireRoom(bytes.addAndGet(size), tenants.size());
                    })
                    .collect(
                            () -> new Found(new HashMap<>(), new HashSet<>(), 0),
                            (found, document) -> add(found, document.decode(codec)))
                    .map(found -> new Found(found.readable, found.unreadable, bytes.get()));
        });
    }

    private static void requireRoom(long bytes, int tenants) {
        if (bytes > DispatcherMemoryBudget.ENDPOINT_BYTES_MAX && tenants > 1) {
            throw new TooLarge("endpoints of " + tenants + " tenants: " + bytes + " bytes (expected: <= "
                    + DispatcherMemoryBudget.ENDPOINT_BYTES_MAX + ")");
        }
    }

    private static void add(Found found, Document document) {
        Tenant tenant = tenant(document);
        WebhookEndpoint endpoint = read(document);
        if (endpoint == null) {
            found.unreadable.add(tenant);
        } else {
            found.readable.computeIfAbsent(tenant, first -> new ArrayList<>()).add(endpoint);
        }
    }

    /** Nothing if the endpoint was deleted; an empty value if it cannot be decoded. */
    public Mono<Optional<WebhookEndpoint>> find(UUID id) {
        return Mono.from(endpoints.find(eq(EndpointFields.ID, id)).limit(1))
                .map(document -> Optional.ofNullable(read(document)));
    }

    /** The versions of those of {@code ids} that were not deleted. Each change of an endpoint gives it another version. */
    public Mono<Map<UUID, Integer>> versions(Collection<UUID> ids) {
        return Flux.from(endpoints
                        .find(in(EndpointFields.ID, ids))
                        .projection(Projections.include(EndpointFields.VERSION)))
                .collectMap(
                        document -> document.get(EndpointFields.ID, UUID.class),
                        document -> document.get(EndpointFields.VERSION) instanceof Integer version ? version : 0);
    }

    /** The tenant of an endpoint, or empty if the endpoint was deleted. */
    public Mono<Tenant> tenant(UUID id) {
        return Mono.from(endpoints
                        .find(eq(EndpointFields.ID, id))
                        .projection(Projections.include(EndpointFields.TENANT))
                        .limit(1))
                .map(EndpointStore::tenant);
    }

    /** MongoDB finds a number of any type. */
    private static Tenant tenant(Document document) {
        return new Tenant(document.get(EndpointFields.TENANT) instanceof Number key ? key.longValue() : 0);
    }

    /**
     * Disables {@code endpoint}, unless it has changed since it was read: its merchant may just have repaired and enabled it. Then its lane,
     * if it has one, is due at once; if that mark fails, a dispatcher checks the lane when it is due.
     *
     * @return whether it was enabled before
     */
    public Mono<Boolean> disable(WebhookEndpoint endpoint, DisabledReason reason, Instant now) {
        Bson unchanged = and(
                eq(EndpointFields.ID, endpoint.id()),
                eq(EndpointFields.VERSION, endpoint.version()),
                eq(EndpointFields.ENABLED, true));
        Bson disabled = combine(
                set(EndpointFields.ENABLED, false),
                set(EndpointFields.DISABLED_REASON, reason.code()),
                set(EndpointFields.STATUS_SINCE, Date.from(now)),
                inc(EndpointFields.VERSION, 1));
        return Mono.from(endpoints.updateOne(unchanged, disabled))
                .map(result -> result.getModifiedCount() > 0)
                .delayUntil(done -> done ? markLaneDue(endpoint, now).onErrorComplete() : Mono.empty());
    }

    private Mono<?> markLaneDue(WebhookEndpoint endpoint, Instant now) {
        return Mono.from(lanes.updateOne(
                eq(LaneFields.ID, TransactionCodec.binary(endpoint.id())), LaneUpdates.dueNow(endpoint.tenant(), now)));
    }

    /** Null for a malformed endpoint, so that it does not stop the deliveries of the others. */
    private static @Nullable WebhookEndpoint read(Document document) {
        try {
            return EndpointDocument.read(document);
        } catch (RuntimeException unreadable) {
            LOG.atError()
                    .addKeyValue("event.action", "endpoint_unreadable")
                    .addKeyValue("endpoint_id", document.get(EndpointFields.ID))
                    .addKeyValue("cause", unreadable.getClass().getSimpleName())
                    .log(
                            "A stored endpoint cannot be read; its deliveries wait, and its merchant's events become dead letters too");
            return null;
        }
    }
}
