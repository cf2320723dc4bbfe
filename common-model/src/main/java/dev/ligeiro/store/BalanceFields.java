package dev.ligeiro.store;

import dev.ligeiro.transaction.Tenant;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;

/**
 * The field names of a balance: what all postings of a tenant have added to its accounts, or those of one UTC day. Money is int64 cents,
 * and an absent account is 0. A statement's day in any time zone begins at a quarter of an hour, so the days have the merchant's account by
 * quarter too.
 *
 * <p>Each balance knows for each partition the last record whose posting it has. A record that is delivered again is not added again.
 */
public final class BalanceFields {

    /** Of all days: {@code {tenant}}; of one: {@code {tenant, day}}, with the day's number since 1970. */
    public static final String ID = "_id";

    public static final String TENANT = "tenant";
    public static final String DAY = "day";
    /** The path of a day in the id, and the index by which all tenants' balances of a day are read. */
    public static final String DAY_OF_ID = ID + "." + DAY;

    public static final String MERCHANT = "merchant";
    public static final String FEES = "fees";
    public static final String OUT_IN_FLIGHT = "outInFlight";
    public static final String REFUND_IN_FLIGHT = "refundInFlight";
    public static final String UNMATCHED = "unmatched";
    public static final String BLOCKED = "blocked";
    /** By the rail's name. */
    public static final String RAIL = "rail";

    /** The time of the latest event. */
    public static final String AT = "at";
    /** What the day's quarters of an hour have added to the merchant's account, by their numbers from 0; only of days. */
    public static final String QUARTERS = "quarters";
    /** Present on days that were begun by a version that counts payments; without it, {@link #PAID} is not complete. */
    public static final String COUNTED = "counted";
    /** The payments of the day; only of days. A field of each of the next four holds numbers by quarter or by hour and span. */
    public static final String PAID = "paid";

    public static final String CASHINS = "cashins";
    public static final String CASHIN_CENTS = "cashinCents";
    public static final String CASHOUTS = "cashouts";
    public static final String CASHOUT_CENTS = "cashoutCents";
    /** How many cashins were paid so long after their creation, by the hour of the payment, {@code _} and {@link #paySpan}. */
    public static final String PAY_SPANS = "spans";
    /** The offset of the last record by {@link PostingFields#SOURCE}. */
    public static final String APPLIED = "applied";

    /** The index of the sums of days: it has the merchant's account, so that ten years are added up without reading a document. */
    public static final String DAYS_INDEX = "days";

    /** About 30 days. */
    public static final int PAY_SPAN_MAX = 42;

    private static final int QUARTER_SECONDS = 900;
    private static final double SPANS_PER_DOUBLING = 2;

    private BalanceFields() {}

    /** The id of the balance over all days. */
    public static BsonDocument id(Tenant tenant) {
        return new BsonDocument(TENANT, new BsonInt64(tenant.key()));
    }

    /** The id of a day's balance. */
    public static BsonDocument id(Tenant tenant, int day) {
        return id(tenant).append(DAY, new BsonInt32(day));
    }

    /** The UTC day of {@code at}. */
    public static int day(Instant at) {
        return (int) at.atZone(ZoneOffset.UTC).toLocalDate().toEpochDay();
    }

    /** The number of the quarter of an hour in its UTC day, from 0 to 95. */
    public static int quarter(Instant at) {
        return at.atZone(ZoneOffset.UTC).toLocalTime().toSecondOfDay() / QUARTER_SECONDS;
    }

    /** The number of the span in which a cashin was paid: each ends at 1.41 times its beginning, the first one begins at 1 s. */
    public static int paySpan(Duration untilPaid) {
        double doublings = Math.log(Math.max(1, untilPaid.toMillis() / 1e3)) / Math.log(2);
        return (int) Math.min(PAY_SPAN_MAX, SPANS_PER_DOUBLING * doublings);
    }

    /** The middle of a span, in seconds: no value of the span is further from it than 19 %, but for those below 1 s and above 25 days. */
    public static double paySpanSeconds(int span) {
        return Math.pow(2, (span + 0.5) / SPANS_PER_DOUBLING);
    }
}
