package dev.ligeiro.dispatcher.attempt;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Filters.gt;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.lte;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.push;
import static com.mongodb.client.model.Updates.pushEach;
import static com.mongodb.client.model.Updates.set;
import static com.mongodb.client.model.Updates.unset;
import static dev.ligeiro.store.DeliveryFields.*;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.ReadConcern;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.IndexModel;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.InsertManyOptions;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.PushOptions;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.message.EventType;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.DeliveryCodec;
import dev.ligeiro.store.StoredDelivery;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.support.mongo.AllShards;
import dev.ligeiro.support.mongo.IndexBuild;
import dev.ligeiro.transaction.Codes;
import dev.ligeiro.webhook.Attempt;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DeliveryStatus;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The deliveries in MongoDB. The gateway writes only replays. Every write uses write concern majority with journal, because Kafka
 * offsets are committed after it.
 */
@Component
public class DeliveryStore {

    private static final Logger LOG = LoggerFactory.getLogger(DeliveryStore.class);
    private static final int DUPLICATE_KEY = 11000;

    private static final String BY_LANE = "lane";
    /** Binaries of another length or type, which are no ids, are outside. */
    private static final BsonBinary LAST_ENDPOINT = TransactionCodec.binary(new UUID(-1, -1));
    /** The endpoint in a filter is for sharded clusters; the id alone finds the delivery. */
    private static final UpdateOptions BY_ID = new UpdateOptions().hint(Indexes.ascending(ID));

    private static final PushOptions LAST_RESPONSES = new PushOptions().slice(-RESPONSES_MAX);

    private static final Bson SCHEDULED = eq(STATUS, DeliveryStatus.SCHEDULED.code());
    /** Without a time, a malformed delivery would be the first one for ever. */
    private static final Bson HAS_TIME = gt(NEXT_ATTEMPT_AT, new Date(0));
    /** When a delivery that cannot be decoded, such as one written by a newer version, is read again. */
    private static final Duration UNREADABLE_DELAY = Duration.ofHours(1);

    private final MongoCollection<Delivery> deliveries;
    private final DeliveryMetrics metrics;

    DeliveryStore(MongoDatabase database, DeliveryMetrics metrics) {
        this.metrics = metrics;
        this.deliveries = database.getCollection(CollectionNames.DELIVERIES, Delivery.class)
                .withCodecRegistry(CodecRegistries.fromRegistries(
                        CodecRegistries.fromCodecs(new DeliveryCodec()), database.getCodecRegistry()));
    }

    /**
     * Creates the collection's indexes; idempotent. {@code lane} is a partial index of the scheduled deliveries by endpoint and due
     * time, {@code ended} deletes deliveries 30 days after their end. Scheduled ones have no end, so it never deletes them. {@code feed}
     * is unique, so a feed gives a number once; the gateway creates it too.
     */
    public Mono<Void> createIndexes() {
        IndexModel lane = new IndexModel(
                Indexes.ascending(ENDPOINT, NEXT_ATTEMPT_AT),
                new IndexOptions().name(BY_LANE).partialFilterExpression(SCHEDULED));
        IndexModel ended = new IndexModel(
                Indexes.ascending(ENDED_AT),
                new IndexOptions().name("ended").sparse(true).expireAfter(Delivery.KEPT.toDays(), TimeUnit.DAYS));
        IndexModel feed = new IndexModel(
                Indexes.ascending(ENDPOINT, FEED_NUMBER),
                new IndexOptions().name(FEED_INDEX).unique(true).partialFilterExpression(exists(FEED_NUMBER)));
        return IndexBuild.run(deliveries, List.of(lane, ended, feed));
    }

    /**
     * Inserts new deliveries in one unordered bulk. A delivery that is already stored stays unchanged.
     *
     * @return those that were already stored, in any state
     */
    public Mono<List<Delivery>> insert(List<Delivery> made) {
        if (made.isEmpty()) {
            return Mono.just(List.of());
        }
        return Mono.defer(() -> Mono.from(deliveries.insertMany(made, new InsertManyOptions().ordered(false))))
                .map(result -> List.<Delivery>of())
                .onErrorResume(MongoBulkWriteException.class, failure -> duplicates(failure, made));
    }

    private static Mono<List<Delivery>> duplicates(MongoBulkWriteException failure, List<Delivery> made) {
        boolean onlyDuplicates = failure.getWriteConcernError() == null
                && failure.getWriteErrors().stream().allMatch(error -> error.getCode() == DUPLICATE_KEY);
        return onlyDuplicates
                ? Mono.just(failure.getWriteErrors().stream()
                        .map(error -> made.get(error.getIndex()))
                        .toList())
                : Mono.error(failure);
    }

    /**
     * The result of an attempt of a stored delivery.
     *
     * @param delivery the delivery in its next state, with only its last attempt: the earlier ones stay as they are stored
     * @param storedFor the time of the next attempt as it was read. If it has changed since, another process has completed an attempt, or
     *     the merchant has asked for a new one, and nothing is written
     */
    record Result(Delivery delivery, Instant storedFor) {}

    /**
     * Writes the results of attempts in one unordered bulk, each only if the delivery's next attempt is still the one that was read.
     *
     * @return the number of results written
     */
    Mono<Integer> update(List<Result> results) {
        List<UpdateOneModel<Delivery>> models =
                results.stream().map(DeliveryStore::model).toList();
        return Mono.defer(() -> Mono.from(deliveries.bulkWrite(models, new BulkWriteOptions().ordered(false))))
                .map(result -> result.getMatchedCount());
    }

    private static UpdateOneModel<Delivery> model(Result result) {
        Delivery delivery = result.delivery();
        Bson asRead =
                and(DeliveryCodec.filter(delivery.id()), SCHEDULED, eq(NEXT_ATTEMPT_AT, Date.from(result.storedFor())));
        List<Bson> changes = new ArrayList<>();
        Attempt attempt = delivery.attempts().get(0);
        changes.add(push(ATTEMPTS, DeliveryCodec.document(attempt)));
        if (attempt.response() != null) {
            changes.add(pushEach(RESPONSES, List.of(DeliveryCodec.response(attempt)), LAST_RESPONSES));
        }
        if (delivery.endedAt() == null) {
            changes.add(set(NEXT_ATTEMPT_AT, date(delivery.nextAttemptAt())));
        } else {
            changes.add(end(delivery.status(), delivery.endedAt()));
        }
        return new UpdateOneModel<>(asRead, combine(changes), BY_ID);
    }

    private static Bson end(DeliveryStatus status, Instant at) {
        return combine(set(STATUS, status.code()), set(ENDED_AT, Date.from(at)), unset(NEXT_ATTEMPT_AT), unset(BODY));
    }

    /** The number of a delivery's attempts, in place of the attempts, of which a merchant that redelivers may have caused a hundred. */
    private static final String ATTEMPTS_MADE = "attemptsMade";

    /** A delivery that is malformed must not fail the read of the others. */
    private static final Bson WITHOUT_PAYLOAD_AND_ATTEMPTS = Projections.fields(
            Projections.include(EVENT_TYPE, EVENT_AT, STATUS, NEXT_ATTEMPT_AT, REPLAY, REQUEST_ID, TRACE_PARENT),
            Projections.computed(
                    ATTEMPTS_MADE,
                    new Document(
                            "$cond",
                            List.of(
                                    new Document("$isArray", "$" + ATTEMPTS),
                                    new Document("$size", "$" + ATTEMPTS),
                                    0))));

    /**
     * The deliveries to {@code endpoint} that are due at {@code now}, earliest due time first and without payloads: one range scan of the
     * index. Those among the first {@code limit} that cannot be decoded are due again an hour later, so that the others go on.
     */
    public Mono<List<Dispatch>> due(WebhookEndpoint endpoint, Instant now, int limit) {
        return Flux.from(deliveries
                        .withDocumentClass(RawBsonDocument.class)
                        .find(and(of(endpoint.id()), lte(NEXT_ATTEMPT_AT, Date.from(now))))
                        .projection(WITHOUT_PAYLOAD_AND_ATTEMPTS)
                        .sort(Sorts.ascending(NEXT_ATTEMPT_AT))
                        .limit(limit))
                .collectList()
                .flatMap(found -> read(endpoint, found, now));
    }

    private Mono<List<Dispatch>> read(WebhookEndpoint endpoint, List<RawBsonDocument> found, Instant now) {
        List<Dispatch> due = new ArrayList<>(found.size());
        List<RawBsonDocument> unreadable = new ArrayList<>();
        for (RawBsonDocument document : found) {
            try {
                due.add(dispatch(endpoint, document));
            } catch (RuntimeException fault) {
                unreadable.add(document);
            }
        }
        return unreadable.isEmpty()
                ? Mono.just(due)
                : postpone(endpoint.id(), unreadable, now).thenReturn(due);
    }

    /** @throws RuntimeException if a field is missing or of another type */
    private static Dispatch dispatch(WebhookEndpoint endpoint, RawBsonDocument document) {
        StoredDelivery stored = StoredDelivery.read(document);
        return new Dispatch(
                endpoint,
                stored.id().eventId(),
                // thousands wait, of a few types
                Codes.find(EventType.class, stored.eventType())
                        .map(EventType::code)
                        .orElse(stored.eventType()),
                stored.eventAt(),
                Dispatch.NO_BODY,
                document.getInt32(ATTEMPTS_MADE).getValue(),
                document.containsKey(REPLAY),
                Objects.requireNonNull(stored.nextAttemptAt()),
                stored.origin());
    }

    /**
     * Logs and counts deliveries that cannot be decoded, and moves their next attempt, each only if it is still the one that was read:
     * another process, or a newer version, may have completed an attempt since.
     */
    private Mono<Void> postpone(UUID endpointId, List<RawBsonDocument> unreadable, Instant now) {
        List<UpdateOneModel<Delivery>> moves = new ArrayList<>();
        for (RawBsonDocument document : unreadable) {
            BsonValue id = Objects.requireNonNull(document.get(ID));
            metrics.countUnreadable();
            LOG.atError()
                    .addKeyValue("event.action", "delivery_unreadable")
                    .addKeyValue("delivery_id", text(id))
                    .log("A stored delivery cannot be read; it is read again in an hour");
            moves.add(new UpdateOneModel<>(
                    and(eq(ID, id), of(endpointId), eq(NEXT_ATTEMPT_AT, document.get(NEXT_ATTEMPT_AT))),
                    set(NEXT_ATTEMPT_AT, Date.from(now.plus(UNREADABLE_DELAY))),
                    BY_ID));
        }
        return Mono.from(deliveries.bulkWrite(moves, new BulkWriteOptions().ordered(false)))
                .then();
    }

    private static String text(BsonValue id) {
        return id.isBinary() ? HexFormat.of().formatHex(id.asBinary().getData()) : id.toString();
    }

    /**
     * The time of the next attempt of any delivery to {@code endpointId}; empty if none is scheduled. Reads with majority, as feeds do: a
     * delivery that they may not number yet would otherwise make the lane's owner check again at once, without a pause.
     */
    public Mono<Instant> nextAttempt(UUID endpointId) {
        return Mono.from(deliveries
                        .withReadConcern(ReadConcern.MAJORITY)
                        .withDocumentClass(BsonDocument.class)
                        .find(and(of(endpointId), HAS_TIME))
                        .projection(Projections.include(NEXT_ATTEMPT_AT))
                        .sort(Sorts.ascending(NEXT_ATTEMPT_AT))
                        .limit(1))
                .map(DeliveryStore::nextAttemptAt);
    }

    /**
     * Cancels up to {@code max} of the scheduled deliveries to {@code endpointId}.
     *
     * @return the number of canceled deliveries
     */
    public Mono<Long> cancel(UUID endpointId, int max, Instant now) {
        return Flux.from(deliveries
                        .withDocumentClass(BsonDocument.class)
                        .find(of(endpointId))
                        .projection(Projections.include(ID))
                        .limit(max))
                .map(document -> document.get(ID))
                .collectList()
                .flatMap(ids -> ids.isEmpty()
                        ? Mono.just(0L)
                        : Mono.from(deliveries.updateMany(
                                        and(in(ID, ids), of(endpointId)), end(DeliveryStatus.CANCELED, now), BY_ID))
                                .map(result -> result.getModifiedCount()));
    }

    /** The number of deliveries due at {@code now}, at most {@code max}; costs about 0.6 µs each. */
    public Mono<Long> countDue(Instant now, int max) {
        return Mono.from(deliveries.countDocuments(
                and(SCHEDULED, lte(NEXT_ATTEMPT_AT, Date.from(now))),
                new CountOptions().limit(max).hintString(BY_LANE).comment(AllShards.SWEEP)));
    }

    /** The endpoint after {@code endpointId} that has a scheduled delivery, and its next attempt: one seek in the index. */
    public Mono<NextAttempt> endpointAfter(@Nullable UUID endpointId) {
        UUID after = endpointId == null ? new UUID(0, 0) : endpointId;
        return Mono.from(deliveries
                        .withDocumentClass(BsonDocument.class)
                        .find(and(
                                SCHEDULED,
                                HAS_TIME,
                                gt(ENDPOINT, TransactionCodec.binary(after)),
                                lte(ENDPOINT, LAST_ENDPOINT)))
                        .projection(Projections.include(ENDPOINT, NEXT_ATTEMPT_AT))
                        .sort(Sorts.ascending(ENDPOINT, NEXT_ATTEMPT_AT))
                        .hintString(BY_LANE)
                        .limit(1)
                        .comment(AllShards.SWEEP))
                .map(document -> new NextAttempt(document.getBinary(ENDPOINT).asUuid(), nextAttemptAt(document)));
    }

    /** An endpoint with a scheduled delivery, and the time of the next attempt. */
    public record NextAttempt(UUID endpointId, Instant at) {}

    private static Instant nextAttemptAt(BsonDocument document) {
        return Instant.ofEpochMilli(document.getDateTime(NEXT_ATTEMPT_AT).getValue());
    }

    private static @Nullable Date date(@Nullable Instant at) {
        return at == null ? null : Date.from(at);
    }

    private static Bson of(UUID endpointId) {
        return and(SCHEDULED, eq(ENDPOINT, TransactionCodec.binary(endpointId)));
    }
}
