package dev.ligeiro.store;

import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;

/**
 * The field names of the versions of one tenant's time buckets on one day: random 64-bit values of the day and of its minutes. All are in
 * UTC and by the time of creation of transactions.
 *
 * <p>A gateway that wants to cache counts of a day creates the document before it counts. A processor that has changed the status of a
 * transaction replaces the versions of its day and minute, if there is a document. So a count that was cached with the current versions
 * of its minutes includes every change that a processor has finished. Versions are random instead of numbered, so that a value that a
 * failover of MongoDB has rolled back, or that of an expired document, never comes again.
 *
 * <p>Late inserts have versions of their own, for filters without a status. When it accepts a transaction whose command Kafka got more than
 * {@link #INSERT_MAX} after its creation, a processor replaces all versions, and makes the document if there is none: it may have been
 * inserted after its minute was counted. It does the same for a transaction whose personal data is removed: filters by name and the like no
 * longer match.
 */
public final class BucketVersionFields {

    public static final String ID = "_id";
    /** In the id. */
    public static final String TENANT = "t";
    /** In the id: the number of days since 1970. */
    public static final String DAY = "d";

    /** The version of each minute that has no field of its own. Never replaced. */
    public static final String FIRST = "first";
    /** The version of the day. */
    public static final String VERSION = "v";
    /** When a version was last replaced, or when a list last renewed them. The index that deletes old documents is over it. */
    public static final String AT = "at";

    /** The version of the day's late inserts. Absent without one, and so are those of minutes. */
    public static final String INSERTS = "i";

    /** A transaction is inserted at most so long after the time in its id: it is sent within 5 s, and an insert fails after 2.5 s. */
    public static final Duration INSERT_MAX = Duration.ofSeconds(8);

    private static final String MINUTE = "m";

    private BucketVersionFields() {}

    /** @param epochDay the number of days since 1970 */
    public static BsonDocument id(Tenant tenant, long epochDay) {
        return new BsonDocument(TENANT, new BsonInt64(tenant.key()))
                .append(DAY, new BsonInt32(Math.toIntExact(epochDay)));
    }

    /** The number of days between 1970 and the day of the transaction's creation. */
    public static long epochDay(TransactionId transaction) {
        return TimeUnit.MILLISECONDS.toDays(transaction.createdAt().toEpochMilli());
    }

    /** The field with the version of a minute, 0 to 1439. */
    public static String minute(int minuteOfDay) {
        return MINUTE + minuteOfDay;
    }

    /** The field with the version of a minute's late inserts, 0 to 1439. */
    public static String insertsOfMinute(int minuteOfDay) {
        return INSERTS + minuteOfDay;
    }

    /** The minute of the day in which the transaction was created, 0 to 1439. */
    public static int minuteOfDay(TransactionId transaction) {
        return (int)
                (TimeUnit.MILLISECONDS.toMinutes(transaction.createdAt().toEpochMilli()) % TimeUnit.DAYS.toMinutes(1));
    }
}
