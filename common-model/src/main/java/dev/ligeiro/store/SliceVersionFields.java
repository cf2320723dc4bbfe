package dev.ligeiro.store;

import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;

/**
 * The field names of the slice versions of one tenant and one day: random 64-bit values of the day, its hours and its minutes. All are in
 * UTC and by the time of creation of transactions.
 *
 * <p>A gateway that wants to keep counts of a day creates the document before it counts. A processor that has changed the status of a
 * transaction replaces the versions of its day, hour and minute, if there is a document. So a count that was kept with the current version
 * of its slice includes every change that a processor has finished. Versions are random instead of numbered, so that a value that a
 * failover of MongoDB has rolled back, or that of an expired document, never comes again.
 */
public final class SliceVersionFields {

    public static final String ID = "_id";
    /** In the id. */
    public static final String TENANT = "t";
    /** In the id: the number of days since 1970. */
    public static final String DAY = "d";

    /** The version of each hour and minute that has no field of its own. Never replaced. */
    public static final String FIRST = "first";
    /** The version of the day. */
    public static final String VERSION = "v";
    /** When a version was last replaced, or when a list last renewed them. The index that deletes old documents is over it. */
    public static final String AT = "at";

    private static final String HOUR = "h";
    private static final String MINUTE = "m";

    private SliceVersionFields() {}

    /** @param epochDay the number of days since 1970 */
    public static BsonDocument id(Tenant tenant, long epochDay) {
        return new BsonDocument(TENANT, new BsonInt64(tenant.key()))
                .append(DAY, new BsonInt32(Math.toIntExact(epochDay)));
    }

    /** The number of days between 1970 and the day of the transaction's creation. */
    public static long epochDay(TransactionId transaction) {
        return TimeUnit.MILLISECONDS.toDays(transaction.createdAt().toEpochMilli());
    }

    /** The field with the version of an hour, 0 to 23. */
    public static String hour(int hourOfDay) {
        return HOUR + hourOfDay;
    }

    /** The field with the version of the hour in which the transaction was created. */
    public static String hourOf(TransactionId transaction) {
        return hour((int) sinceMidnight(transaction).toHours());
    }

    /** The field with the version of a minute, 0 to 1439. */
    public static String minute(int minuteOfDay) {
        return MINUTE + minuteOfDay;
    }

    /** The field with the version of the minute in which the transaction was created. */
    public static String minuteOf(TransactionId transaction) {
        return minute((int) sinceMidnight(transaction).toMinutes());
    }

    private static Duration sinceMidnight(TransactionId transaction) {
        return Duration.ofMillis(transaction.createdAt().toEpochMilli()).minusDays(epochDay(transaction));
    }
}
