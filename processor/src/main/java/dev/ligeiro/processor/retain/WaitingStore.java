package dev.ligeiro.processor.retain;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.lte;
import static com.mongodb.client.model.Updates.addToSet;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.set;
import static com.mongodb.client.model.Updates.unset;

import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateManyModel;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.DeliveryCodec;
import dev.ligeiro.store.DeliveryFields;
import dev.ligeiro.store.EndpointFields;
import dev.ligeiro.store.RedactionFields;
import dev.ligeiro.store.StoredValues;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.transaction.Redaction.Held;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The transactions whose personal data waits to be removed, and what the deliveries of their events have of it. */
@Component
class WaitingStore {

    private static final BulkWriteOptions UNORDERED = new BulkWriteOptions().ordered(false);
    private static final UpdateOptions UPSERT = new UpdateOptions().upsert(true);

    private final MongoCollection<BsonDocument> waiting;
    private final MongoCollection<BsonDocument> endpoints;
    private final MongoCollection<BsonDocument> deliveries;

    WaitingStore(MongoDatabase database) {
        this.waiting = database.getCollection(CollectionNames.REDACTIONS, BsonDocument.class);
        this.endpoints = database.getCollection(CollectionNames.ENDPOINTS, BsonDocument.class);
        this.deliveries = database.getCollection(CollectionNames.DELIVERIES, BsonDocument.class);
    }

    record Waiting(TransactionId id, Tenant tenant) {}

    /**
     * One that is due.
     *
     * @param isErased whether an erasure has found it, so that it does not depend on the days of retention
     */
    record Due(Waiting one, Instant due, boolean isErased) {}

    /**
     * One that has to wait, or to wait longer.
     *
     * @param held null if the reason is not known
     * @param due when to look again
     */
    record Later(Waiting one, @Nullable Held held, Instant due) {}

    Mono<Void> wait(List<Later> some) {
        return write(some.stream()
                .map(later -> upsert(
                        later.one(),
                        combine(
                                set(RedactionFields.TENANT, later.one().tenant().key()),
                                set(RedactionFields.DUE, Date.from(later.due())),
                                later.held() == null
                                        ? unset(RedactionFields.REASON)
                                        : set(
                                                RedactionFields.REASON,
                                                later.held().reason().code()),
                                later.held() == null || later.held().until() == null
                                        ? unset(RedactionFields.UNTIL)
                                        : set(
                                                RedactionFields.UNTIL,
                                                Date.from(later.held().until())))))
                .toList());
    }

    /** Adds those that an erasure has found; they are due at once. */
    Mono<Void> ask(UUID erasure, List<Waiting> found, Instant now) {
        return write(found.stream()
                .map(one -> upsert(
                        one,
                        combine(
                                set(RedactionFields.TENANT, one.tenant().key()),
                                set(RedactionFields.DUE, Date.from(now)),
                                addToSet(RedactionFields.ERASURES, TransactionCodec.binary(erasure)))))
                .toList());
    }

    private static UpdateOneModel<BsonDocument> upsert(Waiting one, Bson change) {
        return new UpdateOneModel<>(
                eq(RedactionFields.ID, TransactionCodec.binary(one.id().value())), change, UPSERT);
    }

    private Mono<Void> write(List<UpdateOneModel<BsonDocument>> upserts) {
        return upserts.isEmpty()
                ? Mono.empty()
                : Mono.from(waiting.bulkWrite(upserts, UNORDERED)).then();
    }

    Flux<Due> due(Instant now, int max) {
        return Flux.from(waiting.find(lte(RedactionFields.DUE, Date.from(now)))
                        .sort(Sorts.ascending(RedactionFields.DUE))
                        .limit(max))
                .map(found -> new Due(
                        new Waiting(
                                new TransactionId(StoredValues.uuid(found, RedactionFields.ID)),
                                new Tenant(
                                        found.getInt64(RedactionFields.TENANT).getValue())),
                        Instant.ofEpochMilli(
                                found.getDateTime(RedactionFields.DUE).getValue()),
                        found.containsKey(RedactionFields.ERASURES)));
    }

    /** One that has to wait longer since it was read stays. */
    Mono<Void> remove(List<Due> done) {
        List<DeleteOneModel<BsonDocument>> deletes = done.stream()
                .map(each -> new DeleteOneModel<BsonDocument>(and(
                        eq(
                                RedactionFields.ID,
                                TransactionCodec.binary(each.one().id().value())),
                        eq(RedactionFields.DUE, Date.from(each.due())))))
                .toList();
        return deletes.isEmpty()
                ? Mono.empty()
                : Mono.from(waiting.bulkWrite(deletes, UNORDERED)).then();
    }

    Mono<Long> count(UUID erasure) {
        return Mono.from(waiting.countDocuments(eq(RedactionFields.ERASURES, TransactionCodec.binary(erasure))));
    }

    /**
     * Removes what merchants' systems have answered to the webhooks of these transactions: it may repeat them. Ended deliveries are deleted after
     * 30 days anyway.
     */
    Mono<Void> forgetResponses(Collection<Waiting> some) {
        if (some.isEmpty()) {
            return Mono.empty();
        }
        List<Long> tenants =
                some.stream().map(one -> one.tenant().key()).distinct().toList();
        return Flux.from(endpoints
                        .find(in(EndpointFields.TENANT, tenants))
                        .projection(Projections.include(EndpointFields.TENANT)))
                .flatMapIterable(endpoint -> some.stream()
                        .filter(one -> one.tenant().key()
                                == endpoint.getInt64(EndpointFields.TENANT).getValue())
                        .map(one -> forget(StoredValues.uuid(endpoint, EndpointFields.ID), one.id()))
                        .toList())
                .collectList()
                .filter(updates -> !updates.isEmpty())
                .flatMap(updates -> Mono.from(deliveries.bulkWrite(updates, UNORDERED)))
                .then();
    }

    private static UpdateManyModel<BsonDocument> forget(UUID endpoint, TransactionId transaction) {
        return new UpdateManyModel<>(
                and(
                        new BsonDocument(DeliveryFields.ID, DeliveryCodec.range(endpoint, transaction, null)),
                        eq(DeliveryFields.ENDPOINT, TransactionCodec.binary(endpoint)),
                        exists(DeliveryFields.RESPONSES)),
                unset(DeliveryFields.RESPONSES));
    }
}
