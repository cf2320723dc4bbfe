package dev.ligeiro.store;

import static dev.ligeiro.store.LaneFields.*;
import static dev.ligeiro.store.StoredValues.*;

import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.Lane;
import dev.ligeiro.webhook.Lane.Health;
import dev.ligeiro.webhook.Lane.Lease;
import org.bson.BsonDocument;
import org.bson.BsonInt32;

/** Reads a lane. Dispatchers and gateways write single fields of it: see {@link LaneUpdates}. */
public final class LaneDocument {

    private static final BsonInt32 ZERO = new BsonInt32(0);

    private LaneDocument() {}

    /** @throws RuntimeException if a field is missing or of another type */
    public static Lane read(BsonDocument lane) {
        return new Lane(
                uuid(lane, ID),
                new Tenant(lane.getInt64(TENANT).getValue()),
                instant(lane, DUE_AT),
                lane.containsKey(CLAIM) && lane.containsKey(LEASE_UNTIL)
                        ? new Lease(uuid(lane, CLAIM), instant(lane, LEASE_UNTIL))
                        : null,
                new Health(
                        lane.getInt32(FAILURES, ZERO).getValue(),
                        lane.getInt32(OPENINGS, ZERO).getValue(),
                        optionalInstant(lane, OPEN_UNTIL),
                        optionalInstant(lane, FAILING_SINCE)),
                optionalInstant(lane, SLOW_UNTIL),
                lane.getInt64(MARKS).getValue());
    }
}
