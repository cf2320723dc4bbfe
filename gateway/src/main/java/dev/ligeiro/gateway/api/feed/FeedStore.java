package dev.ligeiro.gateway.api.feed;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Filters.in;
import static java.util.stream.Collectors.groupingBy;

import com.mongodb.ReadConcern;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.gateway.api.feed.FeedPage.Feed;
import dev.ligeiro.gateway.api.feed.FeedPage.Row;
import dev.ligeiro.gateway.http.limit.BoundedReads;
import dev.ligeiro.gateway.store.LongReads;
import dev.ligeiro.gateway.store.ReducingCodec;
import dev.ligeiro.gateway.store.WriteErrors;
import dev.ligeiro.message.EventId;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.DeliveryFields;
import dev.ligeiro.store.EndpointDocument;
import dev.ligeiro.store.EndpointFields;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.bson.BsonBinary;
import org.bson.Document;
import org.bson.types.Binary;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Feeds in MongoDB. Feeds and their events are read with majority: a failover never takes back an event that a reader has seen. */
@Component
class FeedStore {

    private final MongoCollection<Document> endpoints;
    private final MongoCollection<Document> deliveries;
    private final LongReads reads;
    private final BoundedReads bounds;

    FeedStore(LongReads reads, BoundedReads bounds) {
        this.reads = reads;
        this.bounds = bounds;
        MongoDatabase database = reads.database();
        this.endpoints = database.getCollection(CollectionNames.ENDPOINTS).withReadConcern(ReadConcern.MAJORITY);
        this.deliveries = database.getCollection(CollectionNames.DELIVERIES).withReadConcern(ReadConcern.MAJORITY);
    }

    Mono<Feed> find(Tenant tenant) {
        return Mono.from(endpoints
                        .find(and(
                                eq(EndpointFields.TENANT, tenant.key()),
                                eq(EndpointFields.SLOT, EndpointFields.FEED_SLOT)))
                        .projection(Projections.include(EndpointFields.ID, EndpointFields.LAST_NUMBER))
                        .limit(1))
                .map(document -> new Feed(
                        document.get(EndpointFields.ID, UUID.class), document.get(EndpointFields.LAST_NUMBER, 0L)));
    }

    /** Stores a feed, unless the tenant has one already: the slot is unique. */
    Mono<Void> insert(WebhookEndpoint feed) {
        return Mono.from(endpoints.insertOne(EndpointDocument.ofFeed(feed)))
                .then()
                .onErrorResume(WriteErrors::isDuplicateKey, existing -> Mono.empty());
    }

    /** Up to {@code max} events from {@code number} on, in the order of their numbers: one range of the index. */
    Mono<List<Row>> rows(UUID feedId, long number, int max) {
        return Flux.from(deliveries
                        .find(and(eq(DeliveryFields.ENDPOINT, feedId), gte(DeliveryFields.FEED_NUMBER, number)))
                        .hintString(DeliveryFields.FEED_INDEX)
                        .projection(Projections.include(DeliveryFields.ID, DeliveryFields.FEED_NUMBER))
                        .sort(Sorts.ascending(DeliveryFields.ENDPOINT, DeliveryFields.FEED_NUMBER))
                        .limit(max)
                        .batchSize(max))
                .map(found -> new Row(
                        found.getLong(DeliveryFields.FEED_NUMBER),
                        DeliveryId.of(found.get(DeliveryFields.ID, Binary.class).getData())
                                .eventId()))
                .collectList();
    }

    /**
     * Those of the tenant's {@code events} whose transactions are stored and can be decoded: one query by {@code _id}. A transaction is
     * reduced to its events while it is read.
     */
    Mono<Map<EventId, TransactionEvent>> events(Tenant tenant, Collection<EventId> events) {
        if (events.isEmpty()) {
            return Mono.just(Map.of());
        }
        Map<TransactionId, List<EventId>> wanted = events.stream().collect(groupingBy(EventId::transactionId));
        ReducingCodec<EventsOfOne> codec = new ReducingCodec<>(
                EventsOfOne.class,
                (transaction, bytes) -> new EventsOfOne(wanted.getOrDefault(transaction.id(), List.of()).stream()
                        .flatMap(event -> TransactionEvent.find(transaction, event.sequence()).stream())
                        .toList()),
                // a page with such an event must not fail for ever
                (document, failure) -> new EventsOfOne(List.of()));
        List<BsonBinary> ids = wanted.keySet().stream()
                .map(id -> TransactionCodec.binary(id.value()))
                .toList();
        Mono<Map<EventId, TransactionEvent>> found = Flux.from(reads.transactions(codec)
                        .find(and(eq(TransactionFields.TENANT, tenant.key()), in(TransactionFields.ID, ids)))
                        .hint(Indexes.ascending(TransactionFields.ID))
                        // MongoDB answers a full batch without saying that nothing follows, so the batch has room for
                        // one more
                        .batchSize(ids.size() + 1))
                .flatMapIterable(EventsOfOne::events)
                .collectMap(TransactionEvent::id);
        return bounds.transactions(found);
    }

    private record EventsOfOne(List<TransactionEvent> events) {}
}
