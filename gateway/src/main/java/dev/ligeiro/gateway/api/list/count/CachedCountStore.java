package dev.ligeiro.gateway.api.list.count;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Filters.lt;
import static com.mongodb.client.model.Filters.lte;
import static com.mongodb.client.model.Updates.set;

import com.mongodb.WriteConcern;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.reactivestreams.client.MongoCollection;
import dev.ligeiro.gateway.api.list.count.DayCounts.BucketCount;
import dev.ligeiro.gateway.api.list.match.Filter;
import dev.ligeiro.gateway.store.CollectionSetup;
import dev.ligeiro.gateway.store.LongReads;
import dev.ligeiro.gateway.store.WriteErrors;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bson.BsonBinary;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.conversions.Bson;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * Caches the counts of filters in MongoDB, one document for each filter and day. A list reads those of hundreds of days, so the buckets of
 * a day are one binary value. A lost document costs a recount, so writes do not wait for a majority.
 */
@Component
class CachedCountStore {

    private static final String ID = "_id";
    private static final String TENANT = "t";
    private static final String FILTER = "f";
    private static final String DAY = "d";
    private static final String VERSION = "v";
    /** Of each bucket: first minute of the day and end (16 bits each), version and count (64 bits each). */
    private static final String BUCKETS = "b";

    private static final int BUCKET_BYTES = 20;
    private static final String USED_AT = CollectionSetup.LIST_COUNTS_USED_AT;

    /** The time of use of a document that is read is written again when it is older. MongoDB removes unused documents after 30 days. */
    private static final Duration USE_AGE_MAX = Duration.ofDays(1);

    private final MongoCollection<BsonDocument> counts;
    private final Clock clock;

    CachedCountStore(LongReads reads, Clock clock) {
        this.counts = reads.database()
                .getCollection(CollectionSetup.LIST_COUNTS, BsonDocument.class)
                .withWriteConcern(WriteConcern.W1);
        this.clock = clock;
    }

    /** The cached counts by day, from the first to the last day. One range of the index on {@code _id}. */
    Mono<Map<Long, DayCounts>> read(Filter filter, long firstDay, long lastDay) {
        Bson range = and(gte(ID, id(filter, firstDay)), lte(ID, id(filter, lastDay)));
        return Flux.from(counts.find(range))
                .collectList()
                .doOnNext(found -> writeUse(range, found))
                .flatMapIterable(found -> found)
                .map(CachedCountStore::dayCounts)
                .collectMap(DayCounts::epochDay);
    }

    /** Replaces the cached counts of a day. */
    Mono<Void> write(Filter filter, DayCounts day) {
        BsonDocument fields = new BsonDocument(VERSION, new BsonInt64(day.version()))
                .append(BUCKETS, bytes(day))
                .append(USED_AT, new BsonDateTime(clock.millis()));
        return Mono.from(counts.updateOne(
                        new BsonDocument(ID, id(filter, day.epochDay())),
                        new BsonDocument("$set", fields),
                        new UpdateOptions().upsert(true)))
                // two gateways insert the document at the same time
                .retryWhen(Retry.max(1).filter(WriteErrors::isDuplicateKey))
                .then();
    }

    private static BsonDocument id(Filter filter, long day) {
        return new BsonDocument(TENANT, new BsonInt64(filter.tenant().key()))
                .append(FILTER, new BsonString(filter.key()))
                .append(DAY, new BsonInt32((int) day));
    }

    private static BsonBinary bytes(DayCounts day) {
        long midnight = TimeBucket.day(day.epochDay()).from();
        ByteBuffer bytes = ByteBuffer.allocate(day.buckets().size() * BUCKET_BYTES);
        for (BucketCount each : day.buckets()) {
            bytes.putShort((short) (each.bucket().from() - midnight))
                    .putShort((short) (each.bucket().before() - midnight))
                    .putLong(each.version())
                    .putLong(each.count());
        }
        return new BsonBinary(bytes.array());
    }

    private static DayCounts dayCounts(BsonDocument stored) {
        long day = stored.getDocument(ID).getInt32(DAY).getValue();
        long midnight = TimeBucket.day(day).from();
        ByteBuffer bytes = ByteBuffer.wrap(stored.getBinary(BUCKETS).getData());
        List<BucketCount> buckets = new ArrayList<>(bytes.remaining() / BUCKET_BYTES);
        while (bytes.hasRemaining()) {
            TimeBucket bucket = new TimeBucket(midnight + bytes.getShort(), midnight + bytes.getShort());
            buckets.add(new BucketCount(bucket, bytes.getLong(), bytes.getLong()));
        }
        return new DayCounts(day, stored.getInt64(VERSION).getValue(), buckets);
    }

    /** No request waits for it. When it fails, one of the next requests writes the time. */
    private void writeUse(Bson range, List<BsonDocument> found) {
        Instant now = clock.instant();
        Instant old = now.minus(USE_AGE_MAX);
        if (found.stream().anyMatch(day -> day.getDateTime(USED_AT).getValue() < old.toEpochMilli())) {
            Mono.from(counts.updateMany(and(range, lt(USED_AT, old)), set(USED_AT, now)))
                    .onErrorComplete()
                    .subscribe();
        }
    }
}
