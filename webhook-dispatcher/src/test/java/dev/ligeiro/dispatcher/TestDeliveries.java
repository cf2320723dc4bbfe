package dev.ligeiro.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.ValidationOptions;
import com.mongodb.reactivestreams.client.ClientSession;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.DeliveryCodec;
import dev.ligeiro.store.DeliveryFields;
import dev.ligeiro.store.LaneFields;
import dev.ligeiro.store.StoredDelivery;
import dev.ligeiro.store.StoredValues;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.bson.types.Binary;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The deliveries in an environment's database. */
public final class TestDeliveries {

    private final MongoClient mongo;
    private final MongoDatabase database;
    private final TestLanes lanes;

    TestDeliveries(MongoClient mongo, MongoDatabase database, TestLanes lanes) {
        this.mongo = mongo;
        this.database = database;
        this.lanes = lanes;
    }

    /** All deliveries to {@code endpoint}, by the range of {@code _id} that lists them, newest first. */
    public List<Document> of(WebhookEndpoint endpoint) {
        return Flux.from(collection()
                        .find(Filters.and(
                                Filters.gte("_id", bound(endpoint, (byte) 0)),
                                Filters.lte("_id", bound(endpoint, (byte) -1))))
                        .sort(new Document("_id", -1)))
                .collectList()
                .blockOptional(TestEnvironment.WAIT)
                .orElseThrow();
    }

    public Optional<Document> newest(WebhookEndpoint endpoint) {
        return of(endpoint).stream().findFirst();
    }

    public String status(WebhookEndpoint endpoint) {
        return newest(endpoint).map(delivery -> delivery.getString("status")).orElse("none");
    }

    /** Waits for the newest delivery, on a machine with twenty times its load, too. */
    public void awaitStatus(WebhookEndpoint endpoint, String status) {
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(status(endpoint)).isEqualTo(status));
    }

    /** The number of deliveries to {@code endpoint} with this status. */
    public long count(WebhookEndpoint endpoint, String status) {
        return of(endpoint).stream()
                .filter(delivery -> status.equals(delivery.getString("status")))
                .count();
    }

    /** The number of updates of deliveries since the start. Each is the second write of one. */
    public long updates() {
        Document top = Mono.from(mongo.getDatabase("admin").runCommand(new Document("top", 1)))
                .blockOptional(TestEnvironment.WAIT)
                .orElseThrow();
        return top.get("totals", Document.class)
                .get(database.getName() + '.' + CollectionNames.DELIVERIES, Document.class)
                .get("update", Document.class)
                .get("count", Number.class)
                .longValue();
    }

    /** The bytes of each delivery of all endpoints. */
    public List<Integer> sizes() {
        return Flux.from(database.getCollection(CollectionNames.DELIVERIES, RawBsonDocument.class)
                        .find())
                .map(delivery -> delivery.getByteBuffer().remaining())
                .collectList()
                .blockOptional(TestEnvironment.WAIT)
                .orElseThrow();
    }

    /** Of all deliveries to {@code endpoint}, sorted. */
    public List<String> statuses(WebhookEndpoint endpoint) {
        return of(endpoint).stream()
                .map(delivery -> delivery.getString("status"))
                .sorted()
                .toList();
    }

    /** Of the attempts of the newest delivery. */
    public List<String> outcomes(WebhookEndpoint endpoint) {
        return attempts(newest(endpoint).orElseThrow()).stream()
                .map(attempt -> attempt.getString("outcome"))
                .toList();
    }

    /** Of the attempts of the newest delivery; null for one without a response. */
    public List<@Nullable String> responses(WebhookEndpoint endpoint) {
        return stored(newest(endpoint).orElseThrow()).attempts().stream()
                .<@Nullable String>map(StoredDelivery.StoredAttempt::response)
                .toList();
    }

    private StoredDelivery stored(Document delivery) {
        return StoredDelivery.read(delivery.toBsonDocument(BsonDocument.class, database.getCodecRegistry()));
    }

    public static List<Document> attempts(Document delivery) {
        return delivery.getList("attempts", Document.class);
    }

    /** The first possible delivery id of {@code endpoint} when the other bytes are 0, the last one when they are -1. */
    private static Binary bound(WebhookEndpoint endpoint, byte others) {
        byte[] bytes = new byte[DeliveryId.LENGTH];
        Arrays.fill(bytes, others);
        ByteBuffer.wrap(bytes)
                .putLong(endpoint.id().getMostSignificantBits())
                .putLong(endpoint.id().getLeastSignificantBits());
        return new Binary(bytes);
    }

    /** Schedules all deliveries to {@code endpoint} again, without payload, as the gateway does. */
    public void scheduleAgain(WebhookEndpoint endpoint) {
        Instant now = Instant.now();
        Document scheduled = new Document(DeliveryFields.STATUS, "scheduled")
                .append(DeliveryFields.NEXT_ATTEMPT_AT, now)
                .append(DeliveryFields.REPLAY, TransactionCodec.binary(UUID.randomUUID()));
        Document update = new Document("$set", scheduled).append("$unset", new Document(DeliveryFields.ENDED_AT, ""));
        for (Document delivery : of(endpoint)) {
            TestEnvironment.run(collection().updateOne(new Document("_id", delivery.get("_id")), update));
        }
        lanes.markDue(endpoint);
    }

    /** Writes a delivery in a transaction. Other writes of it wait until the result is run, which takes the write back. */
    public Runnable writeUncommitted(Binary deliveryId) {
        ClientSession session = Mono.from(mongo.startSession())
                .blockOptional(TestEnvironment.WAIT)
                .orElseThrow();
        session.startTransaction();
        TestEnvironment.run(collection()
                .updateOne(
                        session,
                        new Document("_id", deliveryId),
                        new Document("$set", new Document("uncommitted", true))));
        return () -> {
            TestEnvironment.run(session.abortTransaction());
            session.close();
        };
    }

    /** Makes all deliveries and lanes due, as if the time of the next attempt, or the end of the lease, had come. */
    public void makeAllDue() {
        Date past = new Date(0);
        TestEnvironment.run(collection()
                .updateMany(
                        new Document(DeliveryFields.STATUS, "scheduled"),
                        new Document("$set", new Document(DeliveryFields.NEXT_ATTEMPT_AT, past))));
        TestEnvironment.run(lanes.collection()
                .updateMany(new Document(), new Document("$set", new Document(LaneFields.DUE_AT, past))));
    }

    /** Stores a delivery that is due, without payload and without a lane. */
    public void insertDue(WebhookEndpoint endpoint, TransactionEvent event) {
        insert(Delivery.due(
                new DeliveryId(endpoint.id(), event.id()), event.type().code(), event.at(), Instant.now(), null));
    }

    /** MongoDB will refuse to store the delivery {@code id}, because of its content. Call it before the first delivery. */
    public void refuse(DeliveryId id) {
        TestEnvironment.run(database.createCollection(
                CollectionNames.DELIVERIES,
                new CreateCollectionOptions()
                        .validationOptions(new ValidationOptions()
                                .validator(Filters.ne(DeliveryFields.ID, new Binary(id.bytes()))))));
    }

    public void insert(Delivery delivery) {
        TestEnvironment.run(database.getCollection(CollectionNames.DELIVERIES, BsonDocument.class)
                .insertOne(StoredValues.document(new DeliveryCodec(), delivery)));
    }

    public MongoCollection<Document> collection() {
        return database.getCollection(CollectionNames.DELIVERIES);
    }
}
