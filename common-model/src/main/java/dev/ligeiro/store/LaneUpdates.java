package dev.ligeiro.store;

import static dev.ligeiro.store.LaneFields.*;

import dev.ligeiro.transaction.Tenant;
import java.time.Instant;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * The updates, as aggregation pipelines, by which gateway and dispatcher mark a lane due. Upsert them with the endpoint's id as
 * {@code _id}, after the deliveries are written: a dispatcher that found none before may just delete the lane.
 */
public final class LaneUpdates {

    private LaneUpdates() {}

    /** The lane is due at {@code at}, or earlier if it was; not before its circuit breaker allows an attempt. */
    public static List<BsonDocument> dueAt(Tenant tenant, Instant at) {
        return List.of(set(mark(tenant).append(DUE_AT, latest(earliest(at), field(OPEN_UNTIL)))));
    }

    /**
     * The lane is due at {@code now}, and an open circuit breaker allows an attempt: for a merchant that asks for a delivery after
     * repairing its endpoint.
     */
    public static List<BsonDocument> dueNow(Tenant tenant, Instant now) {
        BsonDocument open = new BsonDocument("$gt", new BsonArray(List.of(field(OPEN_UNTIL), date(now))));
        BsonDocument closeable = new BsonDocument("$cond", new BsonArray(List.of(open, date(now), field(OPEN_UNTIL))));
        return List.of(set(mark(tenant).append(DUE_AT, earliest(now)).append(OPEN_UNTIL, closeable)));
    }

    private static BsonDocument mark(Tenant tenant) {
        BsonDocument marksOrZero = new BsonDocument("$ifNull", new BsonArray(List.of(field(MARKS), new BsonInt64(0))));
        return new BsonDocument(TENANT, new BsonInt64(tenant.key()))
                .append(MARKS, new BsonDocument("$add", new BsonArray(List.of(marksOrZero, new BsonInt64(1)))));
    }

    private static BsonDocument set(BsonDocument fields) {
        return new BsonDocument("$set", fields);
    }

    private static BsonDocument earliest(Instant at) {
        return new BsonDocument("$min", new BsonArray(List.of(field(DUE_AT), date(at))));
    }

    private static BsonDocument latest(BsonValue one, BsonValue other) {
        return new BsonDocument("$max", new BsonArray(List.of(one, other)));
    }

    private static BsonString field(String name) {
        return new BsonString("$" + name);
    }

    private static BsonDateTime date(Instant at) {
        return new BsonDateTime(at.toEpochMilli());
    }
}
