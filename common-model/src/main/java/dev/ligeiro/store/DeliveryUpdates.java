package dev.ligeiro.store;

import static dev.ligeiro.store.DeliveryFields.*;

import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.DeliveryStatus;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** The updates by which gateway and desk schedule stored deliveries again. The lane must be marked after them: see {@link LaneUpdates}. */
public final class DeliveryUpdates {

    private static final BsonString SCHEDULED = new BsonString(DeliveryStatus.SCHEDULED.code());

    private DeliveryUpdates() {}

    /**
     * The condition that no attempt of the delivery can be running. One can if the delivery is due, or if it has no attempt yet: a first
     * attempt runs while {@code nextAttemptAt} is still in the future.
     */
    public static BsonDocument free(DeliveryId id, Instant now) {
        BsonDocument later = new BsonDocument(NEXT_ATTEMPT_AT, operator("$gt", date(now)))
                .append(ATTEMPTS + ".0", operator("$exists", BsonBoolean.TRUE));
        BsonDocument ended = new BsonDocument(STATUS, operator("$ne", SCHEDULED));
        return DeliveryCodec.filter(id).append("$or", new BsonArray(List.of(ended, later)));
    }

    /**
     * Schedules for {@code at}.
     *
     * @param replay the id of the replay; a random one for a delivery that is asked for alone
     * @param payload null if the dispatcher can build it from the stored transaction
     */
    public static BsonDocument scheduled(Instant at, UUID replay, byte @Nullable [] payload) {
        BsonDocument fields = new BsonDocument(STATUS, SCHEDULED)
                .append(NEXT_ATTEMPT_AT, date(at))
                .append(REPLAY, TransactionCodec.binary(replay));
        if (payload != null) {
            fields.append(BODY, new BsonBinary(payload));
        }
        return new BsonDocument("$set", fields).append("$unset", new BsonDocument(ENDED_AT, new BsonString("")));
    }

    private static BsonDateTime date(Instant at) {
        return new BsonDateTime(at.toEpochMilli());
    }

    private static BsonDocument operator(String name, BsonValue operand) {
        return new BsonDocument(name, operand);
    }
}
