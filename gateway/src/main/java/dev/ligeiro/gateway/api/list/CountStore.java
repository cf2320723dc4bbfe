package dev.ligeiro.gateway.api.list;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Filters.lt;
import static com.mongodb.client.model.Filters.lte;
import static com.mongodb.client.model.Projections.include;
import static com.mongodb.client.model.Updates.set;

import com.mongodb.ReadConcern;
import com.mongodb.WriteConcern;
import com.mongodb.client.model.InsertManyOptions;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.reactivestreams.client.MongoCollection;
import dev.ligeiro.gateway.store.CollectionSetup;
import dev.ligeiro.gateway.store.LongReads;
import dev.ligeiro.gateway.store.LongReads.CausalSession;
import dev.ligeiro.gateway.store.WriteErrors;
import dev.ligeiro.store.BucketVersionFields;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.transaction.Tenant;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
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
 * The cached counts of filters, one document for each filter and day, and the versions of days, which say whether a cached count is valid.
 * Processors replace the versions; here they are read and, for a day without any, created.
 *
 * <p>A list reads the counts of hundreds of days, so the buckets of a day are one binary value. A lost document costs a recount, so counts are
 * written without a majority. Versions are read with one: no failover takes a version back, and a count that follows sees every change
 * before it.
 */
@Component
class CountStore {

    /**
     * So many filters with amounts have cached counts for a tenant at a time. Other filters are as many as the tenant has values with many
     * transactions; pairs of amounts are endless.
     */
    private static final int AMOUNTS_MAX = 64;

    private static final String ID = "_id";
    private static final String TENANT = "t";
    private static final String FILTER = "f";
    /** The filter whose counts are in a place that several share; absent in other documents. */
    private static final String SHARER = "k";

    private static final String DAY = "d";
    private static final String VERSION = "v";
    /** Of each bucket: first minute of the day and end (16 bits each), version and count (64 bits each). */
    private static final String BUCKETS = "b";

    private static final int BUCKET_BYTES = 20;
    private static final String USED_AT = CollectionSetup.LIST_COUNTS_USED_AT;

    /** The time of use of a document that is read is written again when it is older. MongoDB removes unused counts after 30 days. */
    private static final Duration USE_AGE_MAX = Duration.ofDays(1);

    /** As for counts. MongoDB removes versions after 180 days, so they are there for as long as the counts that were cached with them. */
    private static final Duration VERSION_AGE_MAX = Duration.ofDays(30);

    private final MongoCollection<BsonDocument> counts;
    private final MongoCollection<BsonDocument> versions;
    private final Clock clock;

    CountStore(LongReads reads, Clock clock) {
        this.counts = reads.database()
                .getCollection(CollectionSetup.LIST_COUNTS, BsonDocument.class)
                .withWriteConcern(WriteConcern.W1);
        this.versions = reads.database()
                .getCollection(CollectionNames.BUCKET_VERSIONS, BsonDocument.class)
                .withReadConcern(ReadConcern.MAJORITY);
        this.clock = clock;
    }

    /**
     * The counts of one filter in the time buckets of one day.
     *
     * @param version the day's, read before the first of them was counted, and when the others were valid
     * @param buckets the oldest first, not overlapping, perhaps with gaps
     */
    record DayCounts(long epochDay, long version, List<BucketCount> buckets) {

        /** The counts in a part of the day. Buckets that are only partly in it cannot be used for it. */
        List<BucketCount> within(TimeBucket part) {
            return buckets.stream().filter(each -> part.contains(each.bucket())).toList();
        }

        /** Whether the counts in this part of the day have no gap. */
        boolean cover(TimeBucket part) {
            return within(part).stream()
                            .mapToLong(each -> each.bucket().minutes())
                            .sum()
                    == part.minutes();
        }
    }

    /** @param version the bucket's, read before its matches were counted */
    record BucketCount(TimeBucket bucket, long version, long count) {}

    /** The cached counts by day, from the first to the last day. One range of the index on {@code _id}. */
    Mono<Map<Long, DayCounts>> counts(Filter filter, long firstDay, long lastDay) {
        Bson range = and(gte(ID, id(filter, firstDay)), lte(ID, id(filter, lastDay)));
        return Flux.from(counts.find(range))
                .collectList()
                .doOnNext(found -> renew(counts, range, USED_AT, USE_AGE_MAX, found))
                .flatMapIterable(found -> found)
                .filter(found -> !filter.hasAmounts()
                        || found.getString(SHARER).getValue().equals(filter.key()))
                .map(CountStore::dayCounts)
                .collectMap(DayCounts::epochDay);
    }

    /** Replaces the cached counts of a day. */
    Mono<Void> write(Filter filter, DayCounts day) {
        BsonDocument fields = new BsonDocument(VERSION, new BsonInt64(day.version()))
                .append(BUCKETS, bytes(day))
                .append(USED_AT, new BsonDateTime(clock.millis()));
        if (filter.hasAmounts()) {
            fields.append(SHARER, new BsonString(filter.key()));
        }
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
                .append(FILTER, new BsonString(place(filter)))
                .append(DAY, new BsonInt32((int) day));
    }

    /** Filters with amounts that share a place replace each other's counts, which are then counted again. */
    private static String place(Filter filter) {
        String key = filter.key();
        return filter.hasAmounts() ? "amounts " + Math.floorMod(key.hashCode(), AMOUNTS_MAX) : key;
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

    /** The versions of whole days that have one, from the first to the last day. One range of the index on {@code _id}. */
    Mono<Map<Long, Long>> versions(Filter filter, long firstDay, long lastDay) {
        String version = filter.hasStatus() ? BucketVersionFields.VERSION : BucketVersionFields.INSERTS;
        Bson range = and(
                gte(ID, BucketVersionFields.id(filter.tenant(), firstDay)),
                lte(ID, BucketVersionFields.id(filter.tenant(), lastDay)));
        return Flux.from(versions.find(range).projection(include(version, BucketVersionFields.AT)))
                .collectList()
                .doOnNext(found -> renew(versions, range, BucketVersionFields.AT, VERSION_AGE_MAX, found))
                .flatMapIterable(found -> found)
                .filter(day -> day.containsKey(version))
                .collectMap(
                        day -> (long) day.getDocument(ID)
                                .getInt32(BucketVersionFields.DAY)
                                .getValue(),
                        day -> day.getInt64(version).getValue());
    }

    /**
     * The versions of a day and of its minutes. If it has none, a filter with a status gets new ones, so that no count of it is valid or
     * becomes so.
     */
    Mono<DayVersions> versions(CausalSession session, Filter filter, long day) {
        Mono<BsonDocument> stored =
                Mono.from(versions.find(session.session(), eq(ID, BucketVersionFields.id(filter.tenant(), day)))
                        .first());
        return filter.hasStatus()
                ? stored.map(DayVersions::new).defaultIfEmpty(DayVersions.random())
                : stored.defaultIfEmpty(new BsonDocument()).map(DayVersions::ofInserts);
    }

    /** Gives versions to the days that have none. From then on, processors replace them. */
    Mono<Void> createVersions(Tenant tenant, Collection<Long> days) {
        List<BsonDocument> created = days.stream()
                .map(day -> DayVersions.random()
                        .stored()
                        .append(ID, BucketVersionFields.id(tenant, day))
                        .append(BucketVersionFields.AT, new BsonDateTime(clock.millis())))
                .toList();
        return created.isEmpty()
                ? Mono.empty()
                : Mono.from(versions.insertMany(created, new InsertManyOptions().ordered(false)))
                        // another gateway has created some of them at the same time
                        .onErrorComplete(WriteErrors::areOnlyDuplicateKeys)
                        .then();
    }

    /** Sets the time of old documents to now. No request waits for it; when it fails, one of the next requests does it. */
    private void renew(
            MongoCollection<BsonDocument> collection,
            Bson range,
            String field,
            Duration ageMax,
            List<BsonDocument> found) {
        Instant now = clock.instant();
        Instant old = now.minus(ageMax);
        if (found.stream().anyMatch(day -> day.getDateTime(field).getValue() < old.toEpochMilli())) {
            Mono.from(collection.updateMany(and(range, lt(field, old)), set(field, now)))
                    .onErrorComplete()
                    .subscribe();
        }
    }

    /**
     * The versions of one day at one moment, by which the counts of a filter are cached. With a status, a version changes after each change of
     * status of the transactions in its time, and after each late insert. Without one, only after a late insert and after the
     * removal of personal data: nothing else of a transaction changes.
     *
     * @param stored the fields of {@link BucketVersionFields}
     */
    record DayVersions(BsonDocument stored) {

        /** The day's version for filters without a status, from before the first late insert. */
        static final long NO_INSERTS = 0;

        /** For filters without a status. */
        private static DayVersions ofInserts(BsonDocument stored) {
            BsonDocument inserts = of(NO_INSERTS, NO_INSERTS).stored;
            if (stored.containsKey(BucketVersionFields.INSERTS)) {
                inserts.append(BucketVersionFields.VERSION, stored.get(BucketVersionFields.INSERTS));
                for (int minute = 0; minute < TimeBucket.MINUTES_OF_DAY; minute++) {
                    inserts.append(
                            BucketVersionFields.minute(minute),
                            stored.getInt64(BucketVersionFields.insertsOfMinute(minute), new BsonInt64(NO_INSERTS)));
                }
            }
            return new DayVersions(inserts);
        }

        /** New versions, which no count was cached with. */
        static DayVersions random() {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            return of(random.nextLong(), random.nextLong());
        }

        private static DayVersions of(long day, long minutes) {
            return new DayVersions(new BsonDocument(BucketVersionFields.VERSION, new BsonInt64(day))
                    .append(BucketVersionFields.FIRST, new BsonInt64(minutes)));
        }

        long ofDay() {
            return stored.getInt64(BucketVersionFields.VERSION).getValue();
        }

        /** A hash of the versions of the bucket's minutes. Since these are random, it never has an earlier value again. */
        long of(TimeBucket bucket) {
            BsonInt64 first = stored.getInt64(BucketVersionFields.FIRST);
            long midnight = TimeBucket.day(bucket.epochDay()).from();
            long hash = 0;
            for (long minute = bucket.from() - midnight; minute < bucket.before() - midnight; minute++) {
                String field = BucketVersionFields.minute((int) minute);
                hash = 31 * hash + stored.getInt64(field, first).getValue();
            }
            return hash;
        }
    }
}
