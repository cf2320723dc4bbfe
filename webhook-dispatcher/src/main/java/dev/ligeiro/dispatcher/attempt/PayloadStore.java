package dev.ligeiro.dispatcher.attempt;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.type;

import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Projections;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.dispatcher.DispatcherMemoryBudget;
import dev.ligeiro.dispatcher.http.WebhookProperties;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.DeliveryCodec;
import dev.ligeiro.store.DeliveryFields;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.support.observe.LoggedMerchant;
import dev.ligeiro.support.work.BatchedLookup;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.view.WebhookPayload;
import dev.ligeiro.webhook.DeliveryId;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonType;
import org.bson.RawBsonDocument;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The payloads of stored deliveries, which are stored without: they are built from the stored transactions. Later entries of a history are
 * left out, so a payload has the same bytes as the one built from the event. Requests at the same time share a query, and a transaction
 * that several of them want is read once.
 *
 * <p>Memory: one query runs at a time, of {@link DispatcherMemoryBudget#TRANSACTIONS_READ_MAX} transactions at most, which are decoded one
 * after the other.
 */
@Component
public class PayloadStore {

    private static final Logger LOG = LoggerFactory.getLogger(PayloadStore.class);
    private static final TransactionCodec CODEC = new TransactionCodec();
    /** Tenant and endpoint in a filter are for sharded clusters. */
    private static final Bson BY_ID = Indexes.ascending(TransactionFields.ID);

    private final MongoCollection<RawBsonDocument> transactions;
    private final MongoCollection<BsonDocument> deliveries;
    private final WebhookPayload payload;
    private final BatchedLookup<Requested, byte[]> lookup;

    PayloadStore(MongoDatabase database, ViewProperties view, WebhookProperties webhook) {
        this.transactions = database.getCollection(CollectionNames.TRANSACTIONS, RawBsonDocument.class);
        this.deliveries = database.getCollection(CollectionNames.DELIVERIES, BsonDocument.class);
        this.payload = view.payload();
        this.lookup = new BatchedLookup<>(
                DispatcherMemoryBudget.PAYLOADS_READ_MAX,
                1,
                webhook.attemptsMax(),
                Duration.ZERO,
                this::read,
                outage -> true);
    }

    /**
     * The payload; empty if the transaction is not stored, cannot be decoded or does not announce the event. Fails if MongoDB does not
     * answer.
     */
    public Mono<byte[]> of(Tenant tenant, DeliveryId delivery) {
        return lookup.find(new Requested(tenant, delivery));
    }

    private record Requested(Tenant tenant, DeliveryId delivery) {}

    private Mono<Map<Requested, byte[]>> read(List<Requested> requested) {
        Map<TransactionId, List<Requested>> byTransaction = requested.stream()
                .collect(Collectors.groupingBy(one -> one.delivery().eventId().transactionId()));
        Set<Tenant> tenants = requested.stream().map(Requested::tenant).collect(Collectors.toSet());
        Map<Requested, byte[]> payloads = new HashMap<>();
        return Flux.fromIterable(byTransaction.keySet())
                .buffer(DispatcherMemoryBudget.TRANSACTIONS_READ_MAX)
                .concatMap(
                        ids -> transactions(tenants, ids)
                                .doOnNext(found ->
                                        build(found, byTransaction.getOrDefault(found.id(), List.of()), payloads))
                                .then(),
                        0)
                .then(Mono.defer(() -> withStored(requested, payloads)));
    }

    /**
     * The transactions among {@code ids} that exist and can be decoded: one query by {@code _id}. A transaction is decoded when it is asked
     * for: each may have 256 kB, and several times as much when it is decoded.
     */
    private Flux<Transaction> transactions(Set<Tenant> tenants, Collection<TransactionId> ids) {
        List<BsonBinary> binaries =
                ids.stream().map(id -> TransactionCodec.binary(id.value())).toList();
        List<Long> keys = tenants.stream().map(Tenant::key).toList();
        return Flux.from(transactions
                        .find(and(in(TransactionFields.TENANT, keys), in(TransactionFields.ID, binaries)))
                        .hint(BY_ID))
                // not on the driver's thread: decoding and building payloads takes a while
                .publishOn(Schedulers.parallel())
                .mapNotNull(PayloadStore::transaction);
    }

    /** Null for a malformed transaction, so that it does not stop the deliveries of the others. */
    private static @Nullable Transaction transaction(RawBsonDocument document) {
        try {
            return document.decode(CODEC);
        } catch (RuntimeException unreadable) {
            LOG.atError()
                    .addKeyValue("event.action", "transaction_unreadable")
                    .addKeyValue(
                            "transaction_id",
                            document.getBinary(TransactionFields.ID).asUuid())
                    .addKeyValue("cause", unreadable.getClass().getSimpleName())
                    .log("A stored transaction cannot be read; webhooks about it are not sent");
            return null;
        }
    }

    /** All endpoints of an event share its payload. */
    private void build(Transaction transaction, List<Requested> requested, Map<Requested, byte[]> payloads) {
        Map<Integer, byte[]> bySequence = new HashMap<>();
        for (Requested one : requested) {
            byte[] body = bySequence.computeIfAbsent(
                    one.delivery().eventId().sequence(), sequence -> build(transaction, sequence));
            if (body != null) {
                payloads.put(one, body);
            }
        }
    }

    /** Null if the transaction does not announce the event. A bug must not stop the deliveries of other events, so it gives null too. */
    private byte @Nullable [] build(Transaction transaction, int sequence) {
        try {
            return TransactionEvent.find(transaction, sequence).map(payload::of).orElse(null);
        } catch (RuntimeException bug) {
            LoggedMerchant.add(LOG.atError().addKeyValue("event.action", "payload_not_built"), transaction.tenant())
                    .addKeyValue("transaction_id", transaction.id())
                    .addKeyValue("sequence", sequence)
                    .addKeyValue("cause", bug.getClass().getName())
                    .log("A payload cannot be built; the webhook is not sent");
            return null;
        }
    }

    /** Test events, which no transaction stands behind, are stored with their payloads. */
    private Mono<Map<Requested, byte[]>> withStored(List<Requested> requested, Map<Requested, byte[]> payloads) {
        Map<DeliveryId, Requested> missing = requested.stream()
                .filter(one -> !payloads.containsKey(one))
                .collect(Collectors.toMap(Requested::delivery, one -> one, (one, same) -> one));
        if (missing.isEmpty()) {
            return Mono.just(payloads);
        }
        return Flux.from(deliveries
                        .find(and(DeliveryCodec.filter(missing.keySet()), type(DeliveryFields.BODY, BsonType.BINARY)))
                        .hint(BY_ID)
                        .projection(Projections.include(DeliveryFields.BODY)))
                .doOnNext(document -> {
                    DeliveryId id =
                            DeliveryId.of(document.getBinary(DeliveryFields.ID).getData());
                    payloads.put(
                            missing.get(id),
                            document.getBinary(DeliveryFields.BODY).getData());
                })
                .then(Mono.just(payloads));
    }
}
