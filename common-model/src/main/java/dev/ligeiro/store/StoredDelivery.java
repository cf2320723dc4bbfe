package dev.ligeiro.store;

import static dev.ligeiro.store.DeliveryFields.*;

import dev.ligeiro.message.Origin;
import dev.ligeiro.webhook.Attempt;
import dev.ligeiro.webhook.AttemptOutcome;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.DeliveryStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonReader;
import org.bson.BsonType;
import org.jspecify.annotations.Nullable;

/**
 * A delivery as it is stored. The status and the outcomes are texts, because a newer version may write ones that this version does not
 * know: the gateway shows them as they are, and the dispatcher sets such a delivery aside.
 *
 * @param body the payload; null if the delivery has none, or if it was not read
 */
public record StoredDelivery(
        DeliveryId id,
        String eventType,
        Instant eventAt,
        String status,
        List<StoredAttempt> attempts,
        @Nullable Instant nextAttemptAt,
        @Nullable Instant endedAt,
        byte @Nullable [] body,
        Origin origin) {

    /** One attempt; see {@link Attempt}. */
    public record StoredAttempt(Instant at, String outcome, @Nullable Integer statusCode, Duration duration) {

        private Attempt attempt() {
            return new Attempt(at, AttemptOutcome.fromCode(outcome), statusCode, duration);
        }
    }

    /** @throws IllegalArgumentException if this version does not know its status or one of its outcomes */
    Delivery delivery() {
        return new Delivery(
                id,
                eventType,
                eventAt,
                DeliveryStatus.fromCode(status),
                attempts.stream().map(StoredAttempt::attempt).toList(),
                nextAttemptAt,
                endedAt,
                body,
                origin);
    }

    /** @throws RuntimeException if a field is missing or of another type */
    public static StoredDelivery read(BsonReader reader) {
        Draft draft = new Draft();
        reader.readStartDocument();
        while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
            readField(reader, draft);
        }
        reader.readEndDocument();
        return draft.delivery();
    }

    private static void readField(BsonReader reader, Draft draft) {
        switch (reader.readName()) {
            case ID -> draft.id = DeliveryId.of(reader.readBinaryData().getData());
            case EVENT_TYPE -> draft.eventType = reader.readString();
            case EVENT_AT -> draft.eventAt = readInstant(reader);
            case STATUS -> draft.status = reader.readString();
            case ATTEMPTS -> draft.attempts = readAttempts(reader);
            case NEXT_ATTEMPT_AT -> draft.nextAttemptAt = readInstant(reader);
            case ENDED_AT -> draft.endedAt = readInstant(reader);
            case BODY -> draft.body = reader.readBinaryData().getData();
            case REQUEST_ID -> draft.requestId = reader.readString();
            case TRACE_PARENT -> draft.traceParent = reader.readString();
            default -> reader.skipValue();
        }
    }

    private static List<StoredAttempt> readAttempts(BsonReader reader) {
        List<StoredAttempt> attempts = new ArrayList<>();
        reader.readStartArray();
        while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
            attempts.add(readAttempt(reader));
        }
        reader.readEndArray();
        return attempts;
    }

    private static StoredAttempt readAttempt(BsonReader reader) {
        Instant at = null;
        String outcome = null;
        Integer statusCode = null;
        Duration duration = Duration.ZERO;
        reader.readStartDocument();
        while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
            switch (reader.readName()) {
                case AT -> at = readInstant(reader);
                case OUTCOME -> outcome = reader.readString();
                case STATUS_CODE -> statusCode = reader.readInt32();
                case DURATION_MS -> duration = Duration.ofMillis(reader.readInt64());
                default -> reader.skipValue();
            }
        }
        reader.readEndDocument();
        return new StoredAttempt(required(AT, at), required(OUTCOME, outcome), statusCode, duration);
    }

    private static Instant readInstant(BsonReader reader) {
        return Instant.ofEpochMilli(reader.readDateTime());
    }

    private static <T> T required(String field, @Nullable T value) {
        if (value == null) {
            throw new IllegalStateException(field + ": missing in a stored delivery");
        }
        return value;
    }

    /** The fields read so far. */
    private static final class Draft {

        private @Nullable DeliveryId id;
        private @Nullable String eventType;
        private @Nullable Instant eventAt;
        private @Nullable String status;
        private List<StoredAttempt> attempts = List.of();
        private @Nullable Instant nextAttemptAt;
        private @Nullable Instant endedAt;
        private byte @Nullable [] body;
        private @Nullable String requestId;
        private @Nullable String traceParent;

        private StoredDelivery delivery() {
            return new StoredDelivery(
                    required(ID, id),
                    required(EVENT_TYPE, eventType),
                    required(EVENT_AT, eventAt),
                    required(STATUS, status),
                    attempts,
                    nextAttemptAt,
                    endedAt,
                    body,
                    Origin.of(requestId, traceParent));
        }
    }
}
