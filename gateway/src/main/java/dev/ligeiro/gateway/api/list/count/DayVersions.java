package dev.ligeiro.gateway.api.list.count;

import dev.ligeiro.store.BucketVersionFields;
import java.util.concurrent.ThreadLocalRandom;
import org.bson.BsonDocument;
import org.bson.BsonInt64;

/**
 * The versions of one day at one moment. A version changes after each change of status of the transactions in its time.
 *
 * @param stored the fields of {@link BucketVersionFields}
 */
record DayVersions(BsonDocument stored) {

    /** Of filters without a status: their matches in a past time never change, because only the status of a transaction does. */
    static final DayVersions CONSTANT = of(0, 0);

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
