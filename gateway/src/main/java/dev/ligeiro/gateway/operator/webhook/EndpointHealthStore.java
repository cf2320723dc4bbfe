package dev.ligeiro.gateway.operator.webhook;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Filters.gt;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.lte;
import static com.mongodb.client.model.Filters.or;

import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Sorts;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.gateway.operator.admin.AdminPage;
import dev.ligeiro.gateway.store.DecodeEach;
import dev.ligeiro.gateway.store.LongReads;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.DeliveryFields;
import dev.ligeiro.store.EndpointDocument;
import dev.ligeiro.store.EndpointFields;
import dev.ligeiro.store.LaneCodec;
import dev.ligeiro.store.LaneFields;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.support.mongo.AllShards;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.DisabledReason;
import dev.ligeiro.webhook.Lane;
import dev.ligeiro.webhook.StatusFilter;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** How endpoints have answered lately, and how many deliveries wait for them or were missed. The webhook-dispatcher writes it. */
@Component
class EndpointHealthStore {

    /** Counted up to this number, from the index alone: 3 ms. */
    private static final int COUNT_MAX = 10_000;

    private static final int READ_MAX = AdminPage.ITEMS_MAX + 1;

    private final MongoCollection<Document> endpoints;
    private final MongoCollection<BsonDocument> lanes;
    private final MongoCollection<BsonDocument> deliveries;
    private final DecodeEach decode;

    EndpointHealthStore(LongReads reads, DecodeEach decode) {
        MongoDatabase database = reads.database();
        this.endpoints = database.getCollection(CollectionNames.ENDPOINTS);
        this.lanes = database.getCollection(CollectionNames.LANES, BsonDocument.class);
        this.deliveries = database.getCollection(CollectionNames.DELIVERIES, BsonDocument.class);
        this.decode = decode;
    }

    /** The lanes of these endpoints. One without failures and outstanding deliveries has none. */
    Mono<Map<UUID, Lane>> lanes(Collection<UUID> endpointIds) {
        List<BsonBinary> ids =
                endpointIds.stream().map(TransactionCodec::binary).toList();
        return Flux.from(lanes.find(in(LaneFields.ID, ids)))
                .mapNotNull(this::lane)
                .collectMap(Lane::endpointId);
    }

    /**
     * The lanes of endpoints that have failed since their last success, the longest failing first.
     *
     * @param after the last one of the page before; null for the first page
     */
    Mono<List<Lane>> failing(@Nullable FailingCursor after) {
        Bson behind = after == null
                ? Filters.empty()
                : and(
                        gte(LaneFields.FAILING_SINCE, Date.from(after.since())),
                        or(
                                gt(LaneFields.FAILING_SINCE, Date.from(after.since())),
                                gt(LaneFields.ID, TransactionCodec.binary(after.endpointId()))));
        return Flux.from(lanes.find(and(exists(LaneFields.FAILING_SINCE), behind))
                        .sort(Sorts.ascending(LaneFields.FAILING_SINCE, LaneFields.ID))
                        .limit(READ_MAX)
                        .batchSize(READ_MAX))
                .mapNotNull(this::lane)
                .collectList();
    }

    private @Nullable Lane lane(BsonDocument document) {
        return decode.orNull(
                CollectionNames.LANES, String.valueOf(document.get(LaneFields.ID)), () -> LaneCodec.read(document));
    }

    Mono<Map<UUID, WebhookEndpoint>> endpoints(Collection<UUID> ids) {
        return ids.isEmpty()
                ? Mono.just(Map.of())
                : Flux.from(endpoints.find(in(EndpointFields.ID, ids)))
                        .mapNotNull(this::endpoint)
                        .collectMap(WebhookEndpoint::id);
    }

    /** The endpoints that dispatchers have disabled, the latest first, at most 100. */
    Mono<List<WebhookEndpoint>> disabled() {
        List<String> byDispatchers = List.of(DisabledReason.GONE.code(), DisabledReason.FAILING.code());
        return Flux.from(endpoints
                        .find(and(eq(EndpointFields.ENABLED, false), in(EndpointFields.DISABLED_REASON, byDispatchers)))
                        .sort(Sorts.descending(EndpointFields.STATUS_SINCE))
                        .limit(AdminPage.ITEMS_MAX)
                        .batchSize(READ_MAX))
                .mapNotNull(this::endpoint)
                .collectList();
    }

    private @Nullable WebhookEndpoint endpoint(Document document) {
        return decode.orNull(
                CollectionNames.ENDPOINTS,
                String.valueOf(document.get(EndpointFields.ID)),
                () -> EndpointDocument.read(document));
    }

    /** The number of the endpoint's deliveries with one of the filter's statuses, all but {@code delivered}; at most {@value #COUNT_MAX}. */
    Mono<Long> count(UUID endpointId, StatusFilter filter) {
        return Flux.fromIterable(filter.statuses())
                .concatMap(status -> deliveries.countDocuments(
                        and(
                                eq(DeliveryFields.STATUS, status),
                                gte(DeliveryFields.ID, bound(endpointId, (byte) 0)),
                                lte(DeliveryFields.ID, bound(endpointId, (byte) 0xFF))),
                        new CountOptions()
                                .hint(Indexes.ascending(DeliveryFields.STATUS, DeliveryFields.ID))
                                .comment(AllShards.OPERATOR)
                                .limit(COUNT_MAX)))
                .reduce(0L, Long::sum)
                .map(sum -> Math.min(sum, COUNT_MAX));
    }

    private static BsonBinary bound(UUID endpointId, byte filler) {
        byte[] bytes = new byte[DeliveryId.LENGTH];
        Arrays.fill(bytes, filler);
        ByteBuffer.wrap(bytes)
                .putLong(endpointId.getMostSignificantBits())
                .putLong(endpointId.getLeastSignificantBits());
        return new BsonBinary(bytes);
    }

    /** The last endpoint of a page of failing ones. */
    record FailingCursor(Instant since, UUID endpointId) {}
}
