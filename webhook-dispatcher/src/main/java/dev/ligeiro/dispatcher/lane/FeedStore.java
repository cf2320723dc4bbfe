package dev.ligeiro.dispatcher.lane;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gt;
import static com.mongodb.client.model.Filters.lte;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.max;
import static com.mongodb.client.model.Updates.set;
import static com.mongodb.client.model.Updates.unset;
import static dev.ligeiro.store.DeliveryFields.*;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.ReadConcern;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.dispatcher.attempt.DeliveryMetrics;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.EndpointFields;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.webhook.DeliveryStatus;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.conversions.Bson;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Delivers the due deliveries of feeds: gives them their next numbers, from then on the merchant can read them. A reader that reads with
 * read concern majority sees the numbers from 1 on without gaps, also while two processes give numbers to one feed. They are never used
 * twice, not even when all deliveries of the feed have been deleted.
 */
@Component
class FeedStore {

    /** A bulk of this size takes mongod about 40 ms. */
    static final int BATCH_MAX = 500;

    private static final int DUPLICATE_KEY = 11000;
    private static final Bson SCHEDULED = eq(STATUS, DeliveryStatus.SCHEDULED.code());

    private final MongoCollection<BsonDocument> deliveries;
    private final MongoCollection<BsonDocument> endpoints;

    private final DeliveryMetrics metrics;
    private final Timer latency;

    FeedStore(MongoDatabase database, DeliveryMetrics metrics, MeterRegistry registry) {
        this.metrics = metrics;
        this.latency = Timer.builder("ligeiro.webhook.feed.latency")
                .description("From an event to its number in a feed")
                .register(registry);
        this.deliveries = database.getCollection(CollectionNames.DELIVERIES, BsonDocument.class);
        this.endpoints = database.getCollection(CollectionNames.ENDPOINTS, BsonDocument.class);
    }

    /** Numbers one batch. Gives whether more deliveries may be due; an error if another process gives numbers to the same feed. */
    public Mono<Boolean> number(UUID feedId, Instant now) {
        return Mono.zip(last(feedId), due(feedId, now, BATCH_MAX))
                .flatMap(read -> number(feedId, read.getT1(), read.getT2(), now));
    }

    private Mono<Boolean> number(UUID feedId, Last last, List<Due> due, Instant now) {
        if (due.isEmpty()) {
            // a process that died before it kept the number leaves that to the next one
            return keep(feedId, last, last.number()).thenReturn(false);
        }
        return number(feedId, due, last.number() + 1, now)
                .doOnSuccess(done -> count(due, now))
                .doOnError(NumbersTaken.class, taken -> metrics.countLostLeases(1))
                .then(Mono.defer(() -> keep(feedId, last, last.number() + due.size())))
                .thenReturn(due.size() == BATCH_MAX);
    }

    private Mono<Void> keep(UUID feedId, Last last, long number) {
        return number == last.kept() ? Mono.empty() : keep(feedId, number);
    }

    private void count(List<Due> due, Instant now) {
        metrics.count(DeliveryStatus.DELIVERED, due.size());
        due.forEach(one -> latency.record(Duration.between(one.eventAt(), now)));
    }

    /** A delivery without a number. */
    record Due(BsonBinary id, Instant eventAt) {}

    /**
     * The last numbers of a feed; 0 without one.
     *
     * @param given the last number of a stored delivery
     * @param kept the number that the feed's own document keeps, which stays when the deliveries are deleted
     */
    record Last(long given, long kept) {

        long number() {
            return Math.max(given, kept);
        }
    }

    /** Reads with majority: a number that a failover takes back must not be followed by the next one. */
    Mono<Last> last(UUID feedId) {
        BsonBinary id = TransactionCodec.binary(feedId);
        Mono<Long> given = Mono.from(deliveries
                        .withReadConcern(ReadConcern.MAJORITY)
                        .find(and(eq(ENDPOINT, id), gt(FEED_NUMBER, 0L)))
                        .hintString(FEED_INDEX)
                        .projection(Projections.include(FEED_NUMBER))
                        .sort(Sorts.descending(ENDPOINT, FEED_NUMBER))
                        .limit(1))
                .map(document -> document.getInt64(FEED_NUMBER).getValue());
        Mono<Long> kept = Mono.from(endpoints
                        .withReadConcern(ReadConcern.MAJORITY)
                        .find(eq(EndpointFields.ID, id))
                        .projection(Projections.include(EndpointFields.LAST_NUMBER))
                        .limit(1))
                .map(document -> document.getInt64(EndpointFields.LAST_NUMBER, new BsonInt64(0))
                        .getValue());
        return Mono.zip(given.defaultIfEmpty(0L), kept.defaultIfEmpty(0L), Last::new);
    }

    /**
     * The due deliveries, those of the earliest events first. Reads with majority: if a failover took one of them back, {@link #number}
     * would insert its number without the event, and the event itself would never be stored again.
     */
    Mono<List<Due>> due(UUID feedId, Instant now, int limit) {
        return Flux.from(deliveries
                        .withReadConcern(ReadConcern.MAJORITY)
                        .find(and(
                                SCHEDULED,
                                eq(ENDPOINT, TransactionCodec.binary(feedId)),
                                lte(NEXT_ATTEMPT_AT, Date.from(now))))
                        .projection(Projections.include(ID, NEXT_ATTEMPT_AT))
                        .sort(Sorts.ascending(NEXT_ATTEMPT_AT))
                        .limit(limit)
                        .batchSize(limit))
                .map(document -> new Due(
                        document.getBinary(ID),
                        Instant.ofEpochMilli(
                                document.getDateTime(NEXT_ATTEMPT_AT).getValue())))
                .collectList();
    }

    /**
     * Delivers {@code due}: gives the deliveries the numbers from {@code first} on, which follows the last one. The bulk is ordered, so it
     * stops at its first error, and no number is given before the previous one. It fails with {@link NumbersTaken} if
     * another process has given one of the numbers to another delivery, because the index of the numbers is unique. It also fails if another
     * process has already numbered one of the deliveries: the filter matches nothing, so the upsert inserts, and the {@code _id} exists.
     * Without upsert, such a delivery would be skipped and its number would be missing.
     */
    Mono<Void> number(UUID feedId, List<Due> due, long first, Instant now) {
        List<UpdateOneModel<BsonDocument>> updates = new ArrayList<>(due.size());
        for (Due one : due) {
            updates.add(new UpdateOneModel<>(
                    and(eq(ID, one.id()), eq(ENDPOINT, TransactionCodec.binary(feedId)), SCHEDULED),
                    combine(
                            set(STATUS, DeliveryStatus.DELIVERED.code()),
                            set(ENDED_AT, Date.from(now)),
                            set(FEED_NUMBER, first + updates.size()),
                            unset(NEXT_ATTEMPT_AT)),
                    new UpdateOptions().upsert(true).hint(Indexes.ascending(ID))));
        }
        return Mono.from(deliveries.bulkWrite(updates, new BulkWriteOptions().ordered(true)))
                .onErrorMap(FeedStore::isDuplicate, NumbersTaken::new)
                .then();
    }

    private static boolean isDuplicate(Throwable failure) {
        return failure instanceof MongoBulkWriteException bulk
                && bulk.getWriteErrors().stream().anyMatch(error -> error.getCode() == DUPLICATE_KEY);
    }

    /** Keeps {@code number} as the feed's last one. A smaller number changes nothing. */
    Mono<Void> keep(UUID feedId, long number) {
        return Mono.from(endpoints.updateOne(
                        eq(EndpointFields.ID, TransactionCodec.binary(feedId)),
                        max(EndpointFields.LAST_NUMBER, number)))
                .then();
    }

    /** Another process gives numbers to the same feed: its lease had ended, or this process's has. */
    static final class NumbersTaken extends RuntimeException {

        private static final long serialVersionUID = 1L;

        NumbersTaken(Throwable cause) {
            super("another process gives numbers to this feed", cause, false, false);
        }
    }
}
