package dev.ligeiro.gateway.api.list.count;

import java.util.Objects;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * What MongoDB's primary says of itself in answer to {@code hello}. A sharded cluster's router says neither.
 *
 * @param election a new one after each election; null if it is not known
 * @param majorityWriteAt when the last write was made that a majority has, by MongoDB's clock, in milliseconds of the epoch. A count sees all
 *     writes up to then. An idle replica set makes a write every 10 s. If it is not known, the end of time
 */
record Primary(@Nullable BsonValue election, long majorityWriteAt) {

    /** A transaction is inserted at most so long after the time in its id: it is sent within 5 s, and an insert fails after 2.5 s. */
    private static final long INSERT_MILLIS_MAX = 8_000;

    static Primary of(BsonDocument hello) {
        long majorityWriteAt = hello.getDocument("lastWrite", new BsonDocument())
                .getDateTime("majorityWriteDate", new BsonDateTime(Long.MAX_VALUE))
                .getValue();
        return new Primary(hello.get("electionId"), majorityWriteAt);
    }

    /** A count sees all transactions created before this time, in milliseconds of the epoch. */
    long completeUntil() {
        return majorityWriteAt - INSERT_MILLIS_MAX;
    }

    /** Whether no other member was elected in between. */
    boolean isSame(Primary later) {
        return Objects.equals(election, later.election);
    }
}
