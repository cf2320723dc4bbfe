package dev.ligeiro.store;

import static dev.ligeiro.store.LaneFields.*;

import dev.ligeiro.transaction.Tenant;
import java.time.Instant;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNumber;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The updates, as aggregation pipelines, by which gateway and dispatcher mark a lane due. Upsert them with the endpoint's id as
 * {@code _id}, after the deliveries are written: a dispatcher that found none before may just delete the lane.
 */
public final class LaneUpdates {

    private LaneUpdates() {}

    /**
     * The lane is due at {@code now}, and an open circuit breaker allows an attempt: for a merchant that asks for a delivery after
     * repairing its endpoint.
     */
    public static List<BsonDocument> dueNow(Tenant tenant, Instant now) {
        BsonDocument open = operator("$gt", field(OPEN_UNTIL), date(now));
        BsonDocument fields = mark(tenant)
                .append(DUE_AT, earliest(now))
                .append(OPEN_UNTIL, operator("$cond", open, date(now), field(OPEN_UNTIL)));
        return List.of(new BsonDocument("$set", fields));
    }

    /** The lane is due at {@code at}, or earlier if it was; not before its circuit breaker allows an attempt. */
    public static List<BsonDocument> dueAt(Tenant tenant, Instant at) {
        return attempted(tenant, at, 0, null, null, at);
    }

    /**
     * As {@link #dueAt}, after first attempts were made from memory.
     *
     * @param failures the failed ones, weighted; they count as failures since the last success
     * @param slowUntil the time until which the endpoint counts as slow; null if it was not slow
     * @param pausedUntil the time before which the endpoint wants no attempt: its circuit breaker is open until then. Null if it asked for no
     *     pause
     */
    public static List<BsonDocument> attempted(
            Tenant tenant,
            Instant at,
            int failures,
            @Nullable Instant slowUntil,
            @Nullable Instant pausedUntil,
            Instant now) {
        BsonValue openUntil =
                pausedUntil == null ? field(OPEN_UNTIL) : operator("$max", field(OPEN_UNTIL), date(pausedUntil));
        BsonDocument fields = mark(tenant).append(DUE_AT, operator("$max", earliest(at), openUntil));
        if (failures > 0) {
            fields.append(FAILURES, sum(FAILURES, new BsonInt32(failures)))
                    .append(FAILING_SINCE, operator("$ifNull", field(FAILING_SINCE), date(now)));
        }
        if (pausedUntil != null) {
            fields.append(OPEN_UNTIL, openUntil).append(OPENINGS, sum(OPENINGS, new BsonInt32(1)));
        }
        if (slowUntil != null) {
            fields.append(SLOW_UNTIL, date(slowUntil));
        }
        return List.of(new BsonDocument("$set", fields));
    }

    private static BsonDocument mark(Tenant tenant) {
        return new BsonDocument(TENANT, new BsonInt64(tenant.key())).append(MARKS, sum(MARKS, new BsonInt64(1)));
    }

    private static BsonDocument earliest(Instant at) {
        return operator("$min", field(DUE_AT), date(at));
    }

    private static BsonDocument sum(String name, BsonNumber more) {
        return operator("$add", operator("$ifNull", field(name), new BsonInt32(0)), more);
    }

    private static BsonDocument operator(String name, BsonValue... operands) {
        return new BsonDocument(name, new BsonArray(List.of(operands)));
    }

    private static BsonString field(String name) {
        return new BsonString("$" + name);
    }

    private static BsonDateTime date(Instant at) {
        return new BsonDateTime(at.toEpochMilli());
    }
}
