package dev.ligeiro.gateway.api.list.count;

import dev.ligeiro.store.BucketVersionFields;
import java.util.concurrent.ThreadLocalRandom;
import org.bson.BsonDocument;
import org.bson.BsonInt64;

/**
 * The versions of one day at one moment, by which the counts of a filter are cached. With a status, a version changes after each change of
 * status of the transactions in its time, and after each late insert. Without one, only after a late insert: nothing else of a transaction
 * changes.
 *
 * @param stored the fields of {@link BucketVersionFields}
 */
record DayVersions(BsonDocument stored) {

    private static final BsonInt64 NO_LATE_INSERT = new BsonInt64(0);

    /** The day's version for filters without a status, from before the first late insert. */
    static final long NO_INSERTS = NO_LATE_INSERT.getValue();

    /** For filters without a status. */
    static DayVersions ofInserts(BsonDocument stored) {
        BsonDocument inserts = of(NO_INSERTS, NO_INSERTS).stored;
        if (stored.containsKey(BucketVersionFields.INSERTS)) {
            inserts.append(BucketVersionFields.VERSION, stored.get(BucketVersionFields.INSERTS));
            for (int minute = 0; minute < TimeBucket.MINUTES_OF_DAY; minute++) {
                inserts.append(
                        BucketVersionFields.minute(minute),
                        stored.getInt64(BucketVersionFields.insertsOfMinute(minute), NO_LATE_INSERT));
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
