package dev.ligeiro.infra.loadtest.webhook;

import com.mongodb.WriteConcern;
import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.InsertManyOptions;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.infra.loadtest.system.StoredTransactions;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.DeliveryCodec;
import dev.ligeiro.store.DeliveryFields;
import dev.ligeiro.store.LaneFields;
import dev.ligeiro.store.LaneUpdates;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DeliveryStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.bson.Document;
import org.bson.codecs.configuration.CodecRegistries;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The deliveries and lanes in MongoDB: counted, written for {@code due-rows}, and the writes to them. */
final class StoredDeliveries {

    private static final Duration ANSWER_MAX = Duration.ofMinutes(2);
    private static final int BATCH = 1_000;
    private static final int BATCHES_AT_ONCE = 2;

    private final MongoDatabase admin;
    private final MongoDatabase database;
    private final MongoCollection<Delivery> deliveries;
    private final MongoCollection<Document> lanes;

    /**
     * The writes since mongod's start.
     *
     * @param deliveries operations; one may write several documents
     * @param lanes operations
     * @param documents written in all collections
     */
    record Writes(long deliveries, long lanes, long documents) {

        Writes since(Writes before) {
            return new Writes(deliveries - before.deliveries, lanes - before.lanes, documents - before.documents);
        }
    }

    StoredDeliveries(StoredTransactions stored) {
        admin = stored.admin();
        database = stored.database();
        deliveries = database.getCollection(CollectionNames.DELIVERIES, Delivery.class)
                .withCodecRegistry(CodecRegistries.fromRegistries(
                        CodecRegistries.fromCodecs(new DeliveryCodec()), database.getCodecRegistry()));
        lanes = database.getCollection(CollectionNames.LANES);
    }

    long countLanes() {
        return await(lanes.estimatedDocumentCount());
    }

    long countScheduled() {
        return await(deliveries.countDocuments(
                Filters.eq(DeliveryFields.STATUS, DeliveryStatus.SCHEDULED.code()),
                new CountOptions().hintString("lane")));
    }

    /** Adds scheduled deliveries of one endpoint and marks its lane due, as the dispatcher does: the rows first. */
    void add(UUID endpointId, Tenant tenant, int count, IntFunction<Delivery> row) {
        MongoCollection<Delivery> unjournaled = deliveries.withWriteConcern(WriteConcern.W1);
        Flux.range(0, (count + BATCH - 1) / BATCH)
                .map(batch -> IntStream.range(batch * BATCH, Math.min(count, (batch + 1) * BATCH))
                        .mapToObj(row)
                        .toList())
                .flatMap(rows -> unjournaled.insertMany(rows, new InsertManyOptions().ordered(false)), BATCHES_AT_ONCE)
                .timeout(ANSWER_MAX)
                .blockLast();
        await(admin.runCommand(new Document("fsync", 1)));
        await(lanes.updateOne(
                Filters.eq(LaneFields.ID, TransactionCodec.binary(endpointId)),
                LaneUpdates.dueNow(tenant, Instant.now()),
                new UpdateOptions().upsert(true)));
    }

    Writes writes() {
        Document totals = await(admin.runCommand(new Document("top", 1))).get("totals", Document.class);
        Document documents = await(database.runCommand(new Document("serverStatus", 1)))
                .get("metrics", Document.class)
                .get("document", Document.class);
        return new Writes(
                writes(totals, CollectionNames.DELIVERIES),
                writes(totals, CollectionNames.LANES),
                number(documents, "inserted") + number(documents, "updated") + number(documents, "deleted"));
    }

    private long writes(Document totals, String collection) {
        Document operations = totals.get(database.getName() + "." + collection, Document.class);
        return operations == null
                ? 0
                : number(operations.get("insert", Document.class), "count")
                        + number(operations.get("update", Document.class), "count")
                        + number(operations.get("remove", Document.class), "count");
    }

    private static long number(Document document, String name) {
        return document.get(name, Number.class).longValue();
    }

    private static <T> T await(Publisher<T> result) {
        return Objects.requireNonNull(Mono.from(result).block(ANSWER_MAX), "MongoDB's answer is empty");
    }
}
