package dev.ligeiro.store;

import dev.ligeiro.transaction.Codes;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.Optional;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;

/**
 * What archived transactions have in common that are counted together. A tenant has a document for each archived month, and one for each day of
 * it, in UTC. A document has the {@link #KINDS} of its transactions, each with its {@link #TOTAL}; a day's also with the number in
 * each {@linkplain #quarter quarter of an hour}, because days begin at other times elsewhere. All numbers are int64.
 */
public record ArchivedCount(Status status, Operation operation, UUID platform) {

    public static final String ID = "_id";
    /** In a document: the kinds by their {@link #key}. */
    public static final String KINDS = "kinds";
    /** In a document: the last file that is counted, so that none is counted twice. */
    public static final String PART = "part";

    public static final String TOTAL = "n";
    public static final int QUARTERS = 96;
    public static final long QUARTER_MILLIS = 15 * 60_000L;

    /**
     * The id of a tenant's document.
     *
     * @param generation see {@link ArchiveFields#GENERATION}
     * @param day of the month; 0 for the whole month
     */
    public static BsonDocument id(YearMonth month, int generation, Tenant tenant, int day) {
        return new BsonDocument("m", new BsonString(month.toString()))
                .append("g", new BsonInt32(generation))
                .append("t", new BsonInt64(tenant.key()))
                .append("d", new BsonInt32(day));
    }

    /** The day of a document with this id; empty for that of a month. */
    public static Optional<LocalDate> dayOf(BsonDocument id) {
        int day = id.getInt32("d").getValue();
        return day == 0
                ? Optional.empty()
                : Optional.of(YearMonth.parse(id.getString("m").getValue()).atDay(day));
    }

    /** The name of the quarter of an hour, of the day in UTC. */
    public static String quarter(long epochMilli) {
        return Long.toString(Math.floorMod(epochMilli / QUARTER_MILLIS, QUARTERS));
    }

    public String key() {
        return status.code() + " " + operation.code() + " " + platform;
    }

    /** Empty for a key of a later version. */
    public static Optional<ArchivedCount> parse(String key) {
        String[] parts = key.split(" ", -1);
        if (parts.length != 3) {
            return Optional.empty();
        }
        return Codes.find(Status.class, parts[0]).flatMap(status -> Codes.find(Operation.class, parts[1])
                .map(operation -> new ArchivedCount(status, operation, UUID.fromString(parts[2]))));
    }
}
